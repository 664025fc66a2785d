/**
 * A cache of listings of directories that have not changed, so that repeated listings do not check every name again. The kernel reports
 * changes: on Linux, on a local disk, it queues the event of a change before the call that made the change returns. On other systems events
 * may be late or lost, so nothing is cached there. Some changes cause no event, such as a write through mapped memory or through another
 * name of the file. They are seen after some seconds, because a cached listing expires.
 */
import { type BigIntStats, type FSWatcher, watch } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { ListedInfo } from '@agentm/storage-seam'
import type { FilePath } from './file-path.ts'
import { isLocal } from './quick-disk.ts'

const hearsAtOnce = process.versions['bun'] === undefined && process.versions['deno'] === undefined
const believedMs = 10_000
const mostWatched = 256
/** The largest number of entries in all cached listings of this process, at some 300 bytes each. */
const mostEntries = 200_000

interface Known {
  readonly directory: FilePath
  readonly watcher: FSWatcher
  /** Number of reads of the directory that have started. */
  looks: number
  touched: boolean
  /** Files that were edited in place since, each with the number of its last event. */
  readonly edited: Map<string, number>
  news: number
  identity: string | undefined
  listing: readonly ListedInfo[] | undefined
  /** Identifies the listing. Each new listing gets another revision. */
  revision: string
  since: number
}

/** A cached listing, and the names in it that must be checked again. */
export interface Remembered {
  readonly known: Known
  readonly listing: readonly ListedInfo[]
  readonly revision: string
  readonly edited: ReadonlyMap<string, number>
}

/** A read of the directory that has started. Every change from then on is noticed. */
export interface Look {
  readonly known: Known
  readonly number: number
  readonly identity: string | undefined
  readonly since: number
}

export class KnownListings {
  readonly #asked = new Set<string>()
  readonly #known = new Map<string, Known>()
  #revisions = 0
  readonly #monotonic: () => number

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /** The cached listing, if its names are still correct. */
  async find(directory: FilePath): Promise<Remembered | undefined> {
    const known = this.#known.get(directory)
    if (known?.listing === undefined || this.#monotonic() - known.since > believedMs) return undefined
    const identity = await identityOf(directory)
    await newsIsIn()
    const { listing, revision } = known
    if (listing === undefined || known.touched || identity !== known.identity) return undefined
    return { known, listing, revision, edited: new Map(known.edited) }
  }

  /** Must be called before the names are read. Returns `undefined` at the first read of a directory, or if it cannot be watched. */
  async begin(directory: FilePath): Promise<Look | undefined> {
    if (!this.#asked.has(directory)) {
      this.#asked.add(directory)
      return undefined
    }
    const known = this.#known.get(directory) ?? (await this.#watched(directory))
    if (known === undefined) return undefined
    known.looks += 1
    known.touched = false
    known.edited.clear()
    known.listing = undefined
    return { known, number: known.looks, identity: await identityOf(directory), since: this.#monotonic() }
  }

  /** Caches the listing and returns its revision, or `undefined` if it was not cached. */
  keep({ known, number, identity, since }: Look, listing: readonly ListedInfo[]): string | undefined {
    // Another read that started later has newer names, and has received the events in place of this one.
    if (number !== known.looks || identity === undefined) return undefined
    const revision = this.#nextRevision()
    Object.assign(known, { identity, listing, revision, since })
    makeRoom(listing.length, known)
    return revision
  }

  #nextRevision(): string {
    return String((this.#revisions += 1))
  }

  /** Updates the entries of edited files. A file that was edited again meanwhile, or that another call is checking, is skipped. */
  correct({ known, edited }: Remembered, now: ReadonlyMap<string, ListedInfo>): void {
    const mine = new Set([...edited].filter(([name, news]) => known.edited.get(name) === news).map(([name]) => name))
    if (mine.size === 0 || known.listing === undefined) return
    known.listing = known.listing.map((info) => (mine.has(info.locator.name) && now.get(info.locator.key)) || info)
    known.revision = this.#nextRevision()
    for (const name of mine) known.edited.delete(name)
  }

  async #watched(directory: FilePath): Promise<Known | undefined> {
    if (!hearsAtOnce || !(await isLocal(directory))) return undefined
    const already = this.#known.get(directory)
    if (already !== undefined) return already
    try {
      const watcher = watch(directory, { persistent: false })
      const known: Known = {
        directory,
        watcher,
        looks: 0,
        touched: true,
        edited: new Map(),
        news: 0,
        identity: undefined,
        listing: undefined,
        revision: '',
        since: 0,
      }
      watcher.on('change', (event, name) => {
        if (event === 'change' && typeof name === 'string') known.edited.set(name, (known.news += 1))
        else known.touched = true
      })
      watcher.on('error', () => close(known))
      watcher.on('close', () => this.#forget(known))
      this.#known.set(directory, known)
      watched.add(known)
      return known
    } catch {
      // The system's limit of watched directories is reached. Without a watch every name is checked, which is slower and equally correct.
      return undefined
    }
  }

  #forget(known: Known): void {
    known.touched = true
    watched.delete(known)
    if (this.#known.get(known.directory) === known) this.#known.delete(known.directory)
  }
}

/** All watched directories of this process, the least recently used first. */
const watched = new Set<Known>()

function makeRoom(entries: number, latest: Known): void {
  watched.delete(latest)
  let held = entries
  for (const each of watched) held += each.listing?.length ?? 0
  for (const each of watched) {
    if (held <= mostEntries && watched.size < mostWatched) break
    held -= each.listing?.length ?? 0
    close(each)
  }
  watched.add(latest)
}

/** Stops watching the directory and drops its listing. */
function close(known: Known): void {
  known.touched = true
  known.listing = undefined
  watched.delete(known)
  known.watcher.close()
}

/**
 * Waits until pending events were delivered. Events are read between two turns of the event loop, and the first turn may already have
 * started.
 */
async function newsIsIn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** Identifies one state of a directory. It changes when names are added or removed, and when another directory takes the path. */
async function identityOf(directory: FilePath): Promise<string | undefined> {
  return lstat(directory, { bigint: true }).then(
    ({ dev, ino, ctimeNs, mtimeNs }) => `${dev}-${ino}-${ctimeNs}-${mtimeNs}`,
    () => undefined,
  )
}

/** Whether the file has only one name. Only then are all its changes reported to whoever watches its directory. */
export function isToldOf(stats: BigIntStats): boolean {
  return stats.isDirectory() || stats.nlink === 1n
}
