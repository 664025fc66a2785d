/**
 * Walks the store and lists the notes in it, without opening any. Files that are not notes are left out by name: the inbox,
 * archives, internal files, files that are being written, and copies made by a sync program. The walk stops when its time is up,
 * and says so.
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
  /** From key to the backend's revision; `undefined` if the backend has no revisions. */
  readonly found: ReadonlyMap<string, string | undefined>
  /** `false` if time ran out. Notes that were not found may then exist. */
  readonly complete: boolean
  /** Copies of notes that a sync program made. They are left out. */
  readonly conflictCopies: readonly string[]
  /** Directories that exist but cannot be read now. Indexed notes in them stay. */
  readonly unreadable: readonly string[]
  /** Keys of files that are too large to be opened for recall. */
  readonly tooLarge: readonly string[]
  /** Directories among the projects that show no sign of agentm. */
  readonly foreign: ReadonlySet<string>
}

export interface ScanOptions {
  /** Lists only notes of these partitions (default: all). */
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

/** The slugs of known agentm projects; `undefined` if they cannot be determined. */
async function knownProjects({ registeredProjects, project }: MemoryContext): Promise<ReadonlySet<string> | undefined> {
  try {
    const registered = (await registeredProjects?.()) ?? []
    return new Set([...registered, ...(project === undefined ? [] : [project.slug])])
  } catch {
    // If the registry cannot be read, no directory is treated as foreign, because its notes would then be shown in all projects.
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

  /** An unreadable directory hides only its own notes. */
  async #listingOf(at: Locator): Promise<Listing> {
    try {
      return await this.#context.backend.listInfo(at, { enough: () => this.#isLate() })
    } catch (error) {
      if (at.key === '' || !isUnreadable(error)) throw error
      this.unreadable.push(at.key)
      return { children: [] }
    }
  }

  /** Each listing is sorted once per revision. */
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
    // A link that leads out of the store is left out. A file that is only in the cloud is listed without being opened.
    const { code } = entry.refusal
    if (code === 'ONLINE_ONLY' || (code === 'DEVICE_FAULT' && isUnreadable(entry.refusal)))
      notes.push([locator.key, undefined])
    else if (code !== 'OUTSIDE_STORE') throw entry.refusal
  } else if (entry.isDir) below.push(locator)
  else if (!isMarkdown(locator.name)) return
  else if (entry.size > mostRecalledBytes) tooLarge.push(locator.key)
  else notes.push([locator.key, entry.revision])
}

/** Starts at another place each time, so that walks that run out of time together still see every directory. */
function rotated<T>(list: readonly T[], chance: number): readonly T[] {
  const from = Math.floor(chance * list.length)
  return [...list.slice(from), ...list.slice(0, from)]
}

/** Whether a key can be a note, by its name and place alone. */
export function isNoteKey(key: string, foreign?: ReadonlySet<string>): boolean {
  return placeOf(key).stem !== '' && exclusionsAlong(key, foreign).every((why) => why === undefined)
}

/** The reasons to leave out each directory on the way to a file, and the file. */
export function exclusionsAlong(key: string, foreign?: ReadonlySet<string>): readonly (Exclusion | undefined)[] {
  const parts = key.split('/')
  const among = foreign === undefined ? {} : { foreign }
  return parts.map((_, i) =>
    exclusionOf(parts.slice(0, i + 1).join('/'), { isDirectory: i < parts.length - 1, ...among }),
  )
}
