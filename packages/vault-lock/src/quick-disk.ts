/**
 * Whether a question about a file is asked of the disk directly. To hand it to another thread costs several times what a disk of
 * this machine takes to answer; any other disk may take its time, and then nothing else should wait for it.
 */
import { statfs, statfsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** ext, btrfs, xfs, tmpfs, f2fs, zfs. Elsewhere than on Linux these numbers mean nothing. */
const localDisks = new Set([0xef53, 0x9123683e, 0x58465342, 0x01021994, 0xf2f52010, 0x2fc12fc1])
/** What containers put over such a disk. It sends no news of what is done below it, but nobody elsewhere writes to it. */
const overlay = 0x794c7630
const ask = promisify(statfs)

export async function isLocal(directory: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  return ask(directory).then(
    ({ type }) => localDisks.has(type),
    () => false,
  )
}

const believedMs = 10_000
const mostKnown = 1024
/** So many in a row, then one by another thread: whatever else this process has to do gets its turn. */
const inARow = 128
/** What takes longer was no disk that answers at once, or somebody else had the processor meanwhile. */
const atOnceMs = 5
/** So long a disk may make everybody wait within `spanMs`; a busy machine lets this process wait now and then. */
const toleratedMs = 25
const spanMs = 1_000

interface Known {
  readonly isLocal: boolean
  readonly isOurs: boolean
  readonly since: number
}

export class QuickDisk {
  readonly #known = new Map<string, Known>()
  /** Open directories by the path of their descriptor, each with its own path: the number goes to another directory soon. */
  readonly #open = new Map<string, string>()
  readonly #monotonic: () => number
  #left = inARow
  #slowUntil = -Infinity
  /** Of the span that began then, what was waited for slow answers. */
  #spanBegan = -Infinity
  #waitedMs = 0

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /** The answer of `directly` where the file's directory is on a disk that is quick, else of `byThread`. */
  async answer<T>(file: string, directly: () => T, byThread: () => Promise<T>): Promise<T> {
    const since = this.#monotonic()
    if (since < this.#slowUntil || !this.#look(path.dirname(file), since).isLocal) return byThread()
    if (this.#left === 0) {
      this.#left = inARow
      return byThread()
    }
    this.#left -= 1
    try {
      return directly()
    } finally {
      const now = this.#monotonic()
      if (now - since > atOnceMs) this.#waited(now - since, now)
    }
  }

  /**
   * For a few short steps of which none should be left undone because the process dies between two of them: directly wherever
   * the disk is this machine's own, also when it was slow of late.
   */
  async together<T>(file: string, directly: () => T, byThread: () => Promise<T>): Promise<T> {
    return this.isOurs(path.dirname(file)) ? directly() : byThread()
  }

  /** Everybody has just had their turn: something else was asked of another thread. */
  rested(): void {
    this.#left = inARow
  }

  /** Whether this machine alone writes the disk that holds this directory. */
  isOurs(directory: string): boolean {
    return this.#look(directory, this.#monotonic()).isOurs
  }

  /** Until it is forgotten, `self` is another path of this directory. */
  alias(self: string, directory: string): void {
    this.#open.set(self, directory)
  }

  forget(self: string): void {
    this.#open.delete(self)
  }

  #waited(ms: number, now: number): void {
    if (now - this.#spanBegan > spanMs) {
      this.#spanBegan = now
      this.#waitedMs = 0
    }
    this.#waitedMs += ms
    if (this.#waitedMs > toleratedMs) this.#slowUntil = now + believedMs
  }

  #look(named: string, now: number): Known {
    const directory = this.#open.get(named) ?? named
    const known = this.#known.get(directory)
    if (known !== undefined && now - known.since < believedMs) return known
    if (this.#known.size >= mostKnown) this.#known.clear()
    const type = typeOf(directory)
    const isQuick = type !== undefined && localDisks.has(type)
    const found = { isLocal: isQuick, isOurs: isQuick || type === overlay, since: now }
    // What is absent may be made, on whatever disk.
    if (type !== undefined) this.#known.set(directory, found)
    return found
  }
}

function typeOf(directory: string): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return statfsSync(directory).type
  } catch {
    return undefined
  }
}
