/**
 * Decides whether a file operation is called synchronously. On a local disk, handing the call to a thread costs several times more than the
 * call. On any other disk the call may take long and would block the process.
 */
import { statfs, statfsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** ext, btrfs, xfs, tmpfs, f2fs, zfs. These numbers have this meaning only on Linux. */
const localDisks = new Set([0xef53, 0x9123683e, 0x58465342, 0x01021994, 0xf2f52010, 0x2fc12fc1])
/**
 * The overlay file system of containers over such a disk. It reports no events for changes in its lower layer, but no other machine writes
 * to it.
 */
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
/** After this many synchronous calls in a row, one call goes to a thread, so that the event loop can run other work. */
const inARow = 128
/** A call that takes longer counts as slow: the disk is slow, or another process had the processor. */
const atOnceMs = 5
/**
 * The longest total wait for slow calls within `spanMs`. Some are tolerated, because a busy machine interrupts this process now and then.
 */
const toleratedMs = 25
const spanMs = 1_000

interface Known {
  readonly isLocal: boolean
  readonly isOurs: boolean
  readonly since: number
}

export class QuickDisk {
  readonly #known = new Map<string, Known>()
  /** Maps the descriptor path of each open directory to its real path. Entries are removed soon, because a descriptor number is reused. */
  readonly #open = new Map<string, string>()
  readonly #monotonic: () => number
  #left = inARow
  #slowUntil = -Infinity
  /** Start of the current span. `#waitedMs` is the total wait for slow calls in it. */
  #spanBegan = -Infinity
  #waitedMs = 0

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /** The result of `directly` if the file's directory is on a fast disk, otherwise of `byThread`. */
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
   * For a few short steps that must all run even if the process is ending. Uses `directly` on every local disk, also if it was slow
   * recently.
   */
  async together<T>(file: string, directly: () => T, byThread: () => Promise<T>): Promise<T> {
    return this.isOurs(path.dirname(file)) ? directly() : byThread()
  }

  /** To be called when an operation was handed to a thread, because the event loop could run other work meanwhile. */
  rested(): void {
    this.#left = inARow
  }

  /** Whether this machine alone writes the disk that holds this directory. */
  isOurs(directory: string): boolean {
    return this.#look(directory, this.#monotonic()).isOurs
  }

  /** Registers `self` as another path of this directory, until it is forgotten. */
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
    // The answer for an absent directory is not cached, because it may be created on any disk.
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
