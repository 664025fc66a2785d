/** Walks directories of the store and sorts what is in them, without opening a file. */
import type { ListedInfo, Listing, Locator } from '@agentm/storage-seam'
import { isUnreadable } from '../notes/is-unreadable.ts'
import type { MemoryContext } from '../memory-context.ts'
import {
  beliefsHome,
  exclusionOf,
  globalPartition,
  isMarkdown,
  isProjectMark,
  projectHomes,
  projectOf,
} from '../notes/pure/note-place.ts'
import type { DirectoryMark } from './directory-marks.ts'
import { printOf } from './directory-prints.ts'
import { mostRecalledBytes } from './pure/recalled-text.ts'
import type { SortedDirectory } from './sorted-directory.ts'

export interface WalkOptions {
  /** Lists only notes of these partitions (default: all). */
  readonly partitions?: readonly string[] | undefined
  /** Ends the walk where it answers `true`. What was found until then is returned. */
  readonly enough?: (() => boolean) | undefined
}

/** One walk. It collects what it meets; what to enter is the caller's decision. */
export class Walk {
  readonly sorted: SortedDirectory[] = []
  /** Directories that were listed to their end, each with its own revision. */
  readonly marks = new Map<string, DirectoryMark>()
  readonly unreadable: string[] = []
  complete = true
  readonly #context: MemoryContext
  readonly #options: WalkOptions
  readonly #projects: ReadonlySet<string> | undefined
  readonly #foreign = new Set<string>()
  readonly #listings = new Map<string, Listing>()
  /** What the walk looks for. */
  readonly scope: string

  constructor(context: MemoryContext, options: WalkOptions, projects: ReadonlySet<string> | undefined) {
    this.#context = context
    this.#options = options
    this.#projects = projects
    this.scope = JSON.stringify([options.partitions, projects && [...projects].toSorted()])
  }

  /** Directories among the projects that are no agentm projects. */
  get foreign(): ReadonlySet<string> {
    return this.#foreign
  }

  /** The fingerprint of each directory; `undefined` if the walk met something that they do not tell. */
  get prints(): ReadonlyMap<string, string> | undefined {
    const isPlain = this.complete && this.unreadable.length + this.#foreign.size === 0
    const rows = this.sorted.flatMap(({ key, print, conflictCopies, tooLarge }) =>
      print === undefined || conflictCopies.length + tooLarge.length > 0 ? [] : [[key, print] as const],
    )
    return isPlain && rows.length === this.sorted.length ? new Map(rows) : undefined
  }

  /** Uses these listings, which were made a moment ago, instead of making them again. */
  take(listings: ReadonlyMap<string, Listing>): void {
    for (const [key, listing] of listings) this.#listings.set(key, listing)
  }

  /** Takes over what an earlier walk found of a directory that is still the same, unless it was registered since. */
  knowForeign(directory: string): void {
    const project = projectOf(`${directory}/_`)
    if (project !== undefined && this.#projects !== undefined && !this.#projects.has(project.slug))
      this.#foreign.add(directory)
  }

  /** Lists the directory and everything below it. The revision is that of the directory itself, from before it was listed. */
  async directory(at: Locator, revision?: string): Promise<void> {
    for (const below of rotated((await this.alone(at, { revision })) ?? [], this.#context.runtime.random()))
      await this.directory(below.locator, below.revision)
  }

  /**
   * Lists one directory. Returns the directories in it, or `undefined` if there is no time left. With `since`, only notes that were written
   * at this time or later are found, in epoch seconds.
   */
  async alone(
    at: Locator,
    { revision, since }: { readonly revision?: string | undefined; readonly since?: number },
  ): Promise<SortedDirectory['below'] | undefined> {
    if (this.isLate()) return undefined
    const listing = this.#listings.get(at.key) ?? (await this.listingOf(at))
    this.#listings.delete(at.key)
    const sorted = this.#sorted(at, listing)
    this.sorted.push(since === undefined ? sorted : onlyRecent(sorted, listing, since))
    if (sorted.foreign !== undefined) this.#foreign.add(sorted.foreign)
    const isForeign = sorted.foreign !== undefined
    const { notes, below } = sorted
    if (revision !== undefined && this.complete)
      this.marks.set(at.key, { revision, entries: notes.length + below.length, isForeign })
    return below
  }

  /** An unreadable directory hides only its own notes. */
  async listingOf(at: Locator): Promise<Listing> {
    try {
      return await this.#context.backend.listInfo(at, { enough: () => this.isLate() })
    } catch (error) {
      if (at.key === '' || !isUnreadable(error)) throw error
      this.unreadable.push(at.key)
      return { children: [] }
    }
  }

  /** Each listing is sorted once per revision. */
  #sorted(at: Locator, listing: Listing): SortedDirectory {
    const { key } = at
    const { children, revision } = listing
    const project = projectOf(`${key}/_`)
    const isBelowForeign = project !== undefined && this.#foreign.has(project.group)
    const scope = JSON.stringify([this.scope, isBelowForeign])
    const known = this.#context.corpus.walks.find(key, { revision, scope })
    if (known !== undefined) return known
    const isProject = project?.group === key
    const foreign = isProject && this.#isForeign(project.slug, children) ? key : undefined
    if (foreign !== undefined) this.#foreign.add(foreign)
    const print = printOf(listing)
    const sorted = { key, revision, print, scope, foreign, notes: [], below: [], conflictCopies: [], tooLarge: [] }
    if (!isProject || foreign !== undefined || this.#isRead(project.slug)) this.#sortInto(sorted, at, children)
    return sorted
  }

  #sortInto(sorted: SortedDirectory, at: Locator, entries: readonly ListedInfo[]): void {
    const siblings = new Set(entries.map(({ locator }) => locator.name))
    const isHome = projectHomes.some((each) => each === at.key)
    for (const entry of entries)
      if (this.#mayHold(entry.locator, siblings, sorted) && (!isHome || this.#isWanted(entry.locator)))
        takeIn(sorted, entry)
  }

  #mayHold(at: Locator, siblings: ReadonlySet<string>, { conflictCopies }: SortedDirectory): boolean {
    const isNote = isMarkdown(at.name)
    const foreign = this.#foreign
    if (exclusionOf(at.key, { isDirectory: !isNote, foreign }) !== undefined || this.#isOwnBeliefs(at)) return false
    if (!isNote || !this.#isConflictCopy(at.name, siblings)) return true
    conflictCopies.push(at.key)
    return false
  }

  /** Beliefs that this device published are read from its log instead. */
  #isOwnBeliefs(at: Locator): boolean {
    const { deviceId } = this.#context
    return deviceId !== undefined && at.key === `${beliefsHome}/${deviceId}`
  }

  #isConflictCopy(name: string, siblings: ReadonlySet<string>): boolean {
    const { backend, conflictCopy } = this.#context
    return backend.capabilities.conflictFiles && conflictCopy?.(name, siblings) !== undefined
  }

  /** Whether an entry of a projects directory can contain a wanted partition. If it is unclear, it is read. */
  #isWanted(at: Locator): boolean {
    if (this.#isRead(at.name)) return true
    const mayBeForeign = this.#projects !== undefined && !this.#projects.has(at.name)
    return this.#isRead(globalPartition) && (isMarkdown(at.name) || mayBeForeign)
  }

  #isRead(partition: string): boolean {
    return this.#options.partitions?.includes(partition) ?? true
  }

  /** Whether the directory is foreign: not registered, not the open project, and without any file that agentm puts into a project. */
  #isForeign(slug: string, entries: readonly ListedInfo[]): boolean {
    if (this.#projects === undefined || this.#projects.has(slug)) return false
    return !entries.some(({ locator }) => isProjectMark(locator.name))
  }

  isLate(): boolean {
    if (this.#options.enough?.() !== true) return false
    this.complete = false
    return true
  }
}

function onlyRecent(sorted: SortedDirectory, { children }: Listing, since: number): SortedDirectory {
  const recent = new Set(
    children.flatMap((entry) => ('mtime' in entry && entry.mtime >= since ? entry.locator.key : [])),
  )
  return { ...sorted, notes: sorted.notes.filter(([key]) => recent.has(key)) }
}

function takeIn({ notes, below, tooLarge }: SortedDirectory, entry: ListedInfo): void {
  const { locator } = entry
  if ('refusal' in entry) {
    // A link that leads out of the store is left out. A file that is only in the cloud is listed without being opened.
    const { code } = entry.refusal
    if (code === 'ONLINE_ONLY' || (code === 'DEVICE_FAULT' && isUnreadable(entry.refusal)))
      notes.push([locator.key, undefined])
    else if (code !== 'OUTSIDE_STORE') throw entry.refusal
  } else if (entry.isDir) below.push({ locator, revision: entry.revision })
  else if (!isMarkdown(locator.name)) return
  else if (entry.size > mostRecalledBytes) tooLarge.push(locator.key)
  else notes.push([locator.key, entry.revision])
}

/** Starts at another place each time, so that walks that run out of time together still see every directory. */
export function rotated<T>(list: readonly T[], chance: number): readonly T[] {
  const from = Math.floor(chance * list.length)
  return [...list.slice(from), ...list.slice(0, from)]
}
