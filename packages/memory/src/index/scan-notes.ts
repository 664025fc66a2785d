/**
 * Walks the store and says which notes are there, without opening any. What is not a note on purpose (the inbox, archives,
 * machinery, files being written, copies a sync program made) is left out by name. Stops when its time is up and says so.
 */
import type { ListedInfo, Listing, Locator } from '@agentm/storage-seam'
import { isUnreadable } from '../notes/is-unreadable.ts'
import type { MemoryContext } from '../memory-context.ts'
import {
  beliefsHome,
  type Exclusion,
  exclusionOf,
  globalPartition,
  isMarkdown,
  isProjectMark,
  placeOf,
  projectHomes,
  projectOf,
} from '../notes/pure/note-place.ts'
import { mostRecalledBytes } from './pure/recalled-text.ts'
import type { SortedDirectory } from './sorted-directory.ts'

export interface NoteScan {
  /** Key to the backend's revision; `undefined` where the backend has none. */
  readonly found: ReadonlyMap<string, string | undefined>
  /** False when time ran out: what was not found may be there all the same. */
  readonly complete: boolean
  /** Copies of notes that a sync program made, left out. */
  readonly conflictCopies: readonly string[]
  /** Directories that are there and cannot be looked into now. What is known of notes below them stays. */
  readonly unreadable: readonly string[]
  /** Files too large to be opened for recall. */
  readonly tooLarge: readonly string[]
  /** Directories in homes of projects that nothing shows to be projects of ours. */
  readonly foreign: ReadonlySet<string>
}

export interface ScanOptions {
  /** Only notes of these partitions (default: all). */
  readonly partitions?: readonly string[] | undefined
  /** Epoch milliseconds. */
  readonly deadline?: number
}

export async function scanNotes(context: MemoryContext, options: ScanOptions = {}): Promise<NoteScan> {
  const walk = new Walk(context, options, await knownProjects(context))
  await walk.directory(context.places.at(''))
  const { complete, unreadable, sorted } = walk
  const made = () => ({
    found: new Map(sorted.flatMap(({ notes }) => notes)),
    complete,
    conflictCopies: sorted.flatMap(({ conflictCopies }) => conflictCopies),
    unreadable,
    tooLarge: sorted.flatMap(({ tooLarge }) => tooLarge),
    foreign: new Set(sorted.flatMap(({ foreign }) => foreign ?? [])),
  })
  return complete && unreadable.length === 0 ? context.corpus.walks.scanOf(sorted, made) : made()
}

/** Projects that are surely ours; nothing where that cannot be told. */
async function knownProjects({ registeredProjects, project }: MemoryContext): Promise<ReadonlySet<string> | undefined> {
  try {
    const registered = (await registeredProjects?.()) ?? []
    return new Set([...registered, ...(project === undefined ? [] : [project.slug])])
  } catch {
    // Of a registry that cannot be read nothing is concluded: no directory becomes everybody's by it.
    return undefined
  }
}

class Walk {
  readonly sorted: SortedDirectory[] = []
  readonly unreadable: string[] = []
  complete = true
  readonly #context: MemoryContext
  readonly #options: ScanOptions
  readonly #projects: ReadonlySet<string> | undefined
  readonly #foreign = new Set<string>()
  readonly #known: string

  constructor(context: MemoryContext, options: ScanOptions, projects: ReadonlySet<string> | undefined) {
    this.#context = context
    this.#options = options
    this.#projects = projects
    this.#known = JSON.stringify([options.partitions, projects && [...projects].toSorted()])
  }

  async directory(at: Locator): Promise<void> {
    if (this.#isLate()) return
    const sorted = this.#sorted(at, await this.#listingOf(at))
    this.sorted.push(sorted)
    if (sorted.foreign !== undefined) this.#foreign.add(sorted.foreign)
    for (const directory of rotated(sorted.below, this.#context.runtime.random())) await this.directory(directory)
  }

  /** One directory that may not be looked into hides its notes, not all the others. */
  async #listingOf(at: Locator): Promise<Listing> {
    try {
      return await this.#context.backend.listInfo(at, { enough: () => this.#isLate() })
    } catch (error) {
      if (at.key === '' || !isUnreadable(error)) throw error
      this.unreadable.push(at.key)
      return { children: [] }
    }
  }

  /** Sorted once for each revision of its listing. */
  #sorted(at: Locator, { children, revision }: Listing): SortedDirectory {
    const { key } = at
    const project = projectOf(`${key}/_`)
    const isBelowForeign = project !== undefined && this.#foreign.has(project.group)
    const scope = JSON.stringify([this.#known, isBelowForeign])
    const known = this.#context.corpus.walks.find(key, { revision, scope })
    if (known !== undefined) return known
    const isProject = project?.group === key
    const foreign = isProject && this.#isForeign(project.slug, children) ? key : undefined
    if (foreign !== undefined) this.#foreign.add(foreign)
    const sorted = { key, revision, scope, foreign, notes: [], below: [], conflictCopies: [], tooLarge: [] }
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

  /** What this device published is in its log. */
  #isOwnBeliefs(at: Locator): boolean {
    const { deviceId } = this.#context
    return deviceId !== undefined && at.key === `${beliefsHome}/${deviceId}`
  }

  #isConflictCopy(name: string, siblings: ReadonlySet<string>): boolean {
    const { backend, conflictCopy } = this.#context
    return backend.capabilities.conflictFiles && conflictCopy?.(name, siblings) !== undefined
  }

  /** Whether what lies directly in a home of projects can hold a wanted partition. What may be a person's is looked at. */
  #isWanted(at: Locator): boolean {
    if (this.#isRead(at.name)) return true
    const mayBeForeign = this.#projects !== undefined && !this.#projects.has(at.name)
    return this.#isRead(globalPartition) && (isMarkdown(at.name) || mayBeForeign)
  }

  #isRead(partition: string): boolean {
    return this.#options.partitions?.includes(partition) ?? true
  }

  /** Not registered, not the one that is open, and without anything that our programs put into a project. */
  #isForeign(slug: string, entries: readonly ListedInfo[]): boolean {
    if (this.#projects === undefined || this.#projects.has(slug)) return false
    return !entries.some(({ locator }) => isProjectMark(locator.name))
  }

  #isLate(): boolean {
    const { deadline } = this.#options
    if (deadline === undefined || this.#context.runtime.now() < deadline) return false
    this.complete = false
    return true
  }
}

function takeIn({ notes, below, tooLarge }: SortedDirectory, entry: ListedInfo): void {
  const { locator } = entry
  if ('refusal' in entry) {
    // A link that leads out is nothing of this store's. What is only in the cloud is there, unopened.
    const { code } = entry.refusal
    if (code === 'ONLINE_ONLY' || (code === 'DEVICE_FAULT' && isUnreadable(entry.refusal)))
      notes.push([locator.key, undefined])
    else if (code !== 'OUTSIDE_STORE') throw entry.refusal
  } else if (entry.isDir) below.push(locator)
  else if (!isMarkdown(locator.name)) return
  else if (entry.size > mostRecalledBytes) tooLarge.push(locator.key)
  else notes.push([locator.key, entry.revision])
}

/** Begins somewhere else each time, so that a walk that never gets to its end sees everything in the end. */
function rotated<T>(list: readonly T[], chance: number): readonly T[] {
  const from = Math.floor(chance * list.length)
  return [...list.slice(from), ...list.slice(0, from)]
}

/** Whether a key is a note by name and place alone. */
export function isNoteKey(key: string, foreign?: ReadonlySet<string>): boolean {
  return placeOf(key).stem !== '' && exclusionsAlong(key, foreign).every((why) => why === undefined)
}

/** What excludes each directory on the way to a file, and the file. */
export function exclusionsAlong(key: string, foreign?: ReadonlySet<string>): readonly (Exclusion | undefined)[] {
  const parts = key.split('/')
  const among = foreign === undefined ? {} : { foreign }
  return parts.map((_, i) =>
    exclusionOf(parts.slice(0, i + 1).join('/'), { isDirectory: i < parts.length - 1, ...among }),
  )
}
