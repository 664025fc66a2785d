/**
 * Whether a question about a file is asked of the disk directly. To hand it to another thread costs several times what a disk of
 * this machine takes to answer; any other disk may take its time, and then nothing else should wait for it.
 */
import { statfs, statfsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** ext, btrfs, xfs, tmpfs, f2fs, zfs. Elsewhere than on Linux these numbers mean nothing. */
const localDisks = new Set([0xef53, 0x9123683e, 0x58465342, 0x01021994, 0xf2f52010, 0x2fc12fc1])
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
/** What takes longer was no disk that answers at once. */
const atOnceMs = 5

interface Known {
  readonly isLocal: boolean
  readonly since: number
}

export class QuickDisk {
  readonly #known = new Map<string, Known>()
  readonly #monotonic: () => number
  #left = inARow
  #slowUntil = -Infinity

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /** The answer of `directly` where the file's directory is on a disk that is quick, else of `byThread`. */
  async answer<T>(file: string, directly: () => T, byThread: () => Promise<T>): Promise<T> {
    const since = this.#monotonic()
    if (since < this.#slowUntil || !this.#isLocal(path.dirname(file), since)) return byThread()
    if (this.#left === 0) {
      this.#left = inARow
      return byThread()
    }
    this.#left -= 1
    try {
      return directly()
    } finally {
      const now = this.#monotonic()
      if (now - since > atOnceMs) this.#slowUntil = now + believedMs
    }
  }

  #isLocal(directory: string, now: number): boolean {
    const known = this.#known.get(directory)
    if (known !== undefined && now - known.since < believedMs) return known.isLocal
    if (this.#known.size >= mostKnown) this.#known.clear()
    const isHere = isLocalNow(directory)
    this.#known.set(directory, { isLocal: isHere, since: now })
    return isHere
  }
}

function isLocalNow(directory: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return localDisks.has(statfsSync(directory).type)
  } catch {
    return false
  }
}
