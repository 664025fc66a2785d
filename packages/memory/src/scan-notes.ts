/**
 * Walks the store and says which notes are there, without opening any. What is not a note on purpose (the inbox, archives,
 * machinery, files being written, copies a sync program made) is left out by name. Stops when its time is up and says so.
 */
import type { ListedInfo, Locator } from '@agentm/storage-seam'
import { isUnreadable } from './is-unreadable.ts'
import type { MemoryContext } from './memory-context.ts'
import { beliefsHome, exclusionOf, globalPartition, placeOf, projectHomes } from './pure/note-place.ts'

export interface NoteScan {
  /** Key to the backend's revision; `undefined` where the backend has none. */
  readonly found: ReadonlyMap<string, string | undefined>
  /** False when time ran out: what was not found may be there all the same. */
  readonly complete: boolean
  /** Copies of notes that a sync program made, left out. */
  readonly conflictCopies: readonly string[]
  /** Directories that are there and cannot be looked into now. What is known of notes below them stays. */
  readonly unreadable: readonly string[]
}

export interface ScanOptions {
  /** Only notes of these partitions; all where absent. */
  readonly partitions?: readonly string[] | undefined
  /** Epoch milliseconds. */
  readonly deadline?: number
}

export async function scanNotes(context: MemoryContext, options: ScanOptions = {}): Promise<NoteScan> {
  const walk = new Walk(context, options)
  await walk.directory(context.places.at(''))
  const { found, complete, conflictCopies, unreadable } = walk
  return { found, complete, conflictCopies, unreadable }
}

class Walk {
  readonly found = new Map<string, string | undefined>()
  readonly conflictCopies: string[] = []
  readonly unreadable: string[] = []
  complete = true
  readonly #context: MemoryContext
  readonly #options: ScanOptions

  constructor(context: MemoryContext, options: ScanOptions) {
    this.#context = context
    this.#options = options
  }

  async directory(at: Locator): Promise<void> {
    if (this.#isLate()) return
    const entries = await this.#entriesOf(at)
    const siblings = new Set(entries.map(({ locator }) => locator.name))
    const isHome = projectHomes.some((each) => each === at.key)
    const below = entries.flatMap((entry) =>
      this.#mayHold(entry.locator, siblings) && (!isHome || this.#isWanted(entry.locator)) ? this.#entry(entry) : [],
    )
    for (const directory of rotated(below, this.#context.runtime.random())) await this.directory(directory)
  }

  /** One directory that may not be looked into hides its notes, not all the others. */
  async #entriesOf(at: Locator): Promise<readonly ListedInfo[]> {
    try {
      return await this.#context.backend.listInfo(at, { enough: () => this.#isLate() })
    } catch (error) {
      if (at.key === '' || !isUnreadable(error)) throw error
      this.unreadable.push(at.key)
      return []
    }
  }

  /** Takes a note in; answers a directory to walk. */
  #entry(entry: ListedInfo): readonly Locator[] {
    const { locator } = entry
    if ('refusal' in entry) {
      // A link that leads out is nothing of this store's. What is only in the cloud is there, unopened.
      const { code } = entry.refusal
      if (code === 'ONLINE_ONLY' || (code === 'DEVICE_FAULT' && isUnreadable(entry.refusal)))
        this.found.set(locator.key, undefined)
      else if (code !== 'OUTSIDE_STORE') throw entry.refusal
    } else if (entry.isDir) return [locator]
    else if (exclusionOf(locator.name, { isDirectory: false }) === undefined)
      this.found.set(locator.key, entry.revision)
    return []
  }

  #mayHold(at: Locator, siblings: ReadonlySet<string>): boolean {
    const isNote = /\.md$/i.test(at.name)
    if (exclusionOf(at.name, { isDirectory: !isNote }) !== undefined || this.#isOwnBeliefs(at)) return false
    if (!isNote || !this.#isConflictCopy(at.name, siblings)) return true
    this.conflictCopies.push(at.key)
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

  /** Whether what lies directly in a home of projects can hold a wanted partition. */
  #isWanted(at: Locator): boolean {
    const { partitions } = this.#options
    if (partitions === undefined) return true
    return partitions.includes(at.name) || (partitions.includes(globalPartition) && /\.md$/i.test(at.name))
  }

  #isLate(): boolean {
    const { deadline } = this.#options
    if (deadline === undefined || this.#context.runtime.now() < deadline) return false
    this.complete = false
    return true
  }
}

/** Begins somewhere else each time, so that a walk that never gets to its end sees everything in the end. */
function rotated<T>(list: readonly T[], chance: number): readonly T[] {
  const from = Math.floor(chance * list.length)
  return [...list.slice(from), ...list.slice(0, from)]
}

/** Whether a key is a note by name and place alone. */
export function isNoteKey(key: string): boolean {
  const parts = key.split('/')
  const directories = parts.slice(0, -1)
  if (placeOf(key).stem === '') return false
  if (directories.some((name) => exclusionOf(name, { isDirectory: true }) !== undefined)) return false
  return exclusionOf(parts.at(-1) ?? '', { isDirectory: false }) === undefined
}
