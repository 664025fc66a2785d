/**
 * A cache of listings of directories that have not changed, so that repeated listings do not check every name again. The kernel
 * tells: on Linux, on a local disk, it has queued the news of a change before the call that made the
 * change returns. Elsewhere news may come late or never, and nothing is known.
 *
 * What no news is sent of (a file written through memory, or by another name of it elsewhere) is seen after some seconds: no
 * listing is believed for longer.
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
/** Of all listings of this process; some 300 bytes each. */
const mostEntries = 200_000

interface Known {
  readonly directory: FilePath
  readonly watcher: FSWatcher
  /** Counts the looks that began. */
  looks: number
  touched: boolean
  /** Files that were written in place since, each with the number of the last news of it. */
  readonly edited: Map<string, number>
  news: number
  identity: string | undefined
  listing: readonly ListedInfo[] | undefined
  /** Of the listing: another one for each that is kept. */
  revision: string
  since: number
}

/** What was listed, and the names in it to look at again. */
export interface Remembered {
  readonly known: Known
  readonly listing: readonly ListedInfo[]
  readonly revision: string
  readonly edited: ReadonlyMap<string, number>
}

/** A look that began: nothing that is touched from then on goes unnoticed. */
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

  /** The listing, where it still says which names there are. */
  async find(directory: FilePath): Promise<Remembered | undefined> {
    const known = this.#known.get(directory)
    if (known?.listing === undefined || this.#monotonic() - known.since > believedMs) return undefined
    const identity = await identityOf(directory)
    await newsIsIn()
    const { listing, revision } = known
    if (listing === undefined || known.touched || identity !== known.identity) return undefined
    return { known, listing, revision, edited: new Map(known.edited) }
  }

  /** To be called before the names are read; nothing where a directory is asked for the first time, or cannot be watched. */
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

  /** Answers the revision under which it is kept; nothing where it is not. */
  keep({ known, number, identity, since }: Look, listing: readonly ListedInfo[]): string | undefined {
    // Somebody who began later reads newer names, and hears of changes in this one's stead.
    if (number !== known.looks || identity === undefined) return undefined
    const revision = this.#nextRevision()
    Object.assign(known, { identity, listing, revision, since })
    makeRoom(listing.length, known)
    return revision
  }

  #nextRevision(): string {
    return String((this.#revisions += 1))
  }

  /** What edited files are now. One that was written again meanwhile, or looked at by somebody else, is left to them. */
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
      // Too many are watched already, by whomever. Looking at every name is as good.
      return undefined
    }
  }

  #forget(known: Known): void {
    known.touched = true
    watched.delete(known)
    if (this.#known.get(known.directory) === known) this.#known.delete(known.directory)
  }
}

/** Of all stores of this process, the longest unused first. */
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

/** From here on there is no news of it. */
function close(known: Known): void {
  known.touched = true
  known.listing = undefined
  watched.delete(known)
  known.watcher.close()
}

/** News is read between two turns of the event loop; the first turn may have been under way already. */
async function newsIsIn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** Another directory of that name has another one, and so has this one when names came or went. */
async function identityOf(directory: FilePath): Promise<string | undefined> {
  return lstat(directory, { bigint: true }).then(
    ({ dev, ino, ctimeNs, mtimeNs }) => `${dev}-${ino}-${ctimeNs}-${mtimeNs}`,
    () => undefined,
  )
}

/** Whether it has one name alone, so that whatever happens to it is told to whoever watches its directory. */
export function isToldOf(stats: BigIntStats): boolean {
  return stats.isDirectory() || stats.nlink === 1n
}
