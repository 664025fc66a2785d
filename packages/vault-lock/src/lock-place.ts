/**
 * The lock that the writers of one directory share. Each writer takes the lock that its own environment names, because the Python
 * implementation takes only that one. If the writers share another lock, it takes that one too. The first writer records the shared lock in
 * the directory itself, because that is the only place that all writers surely share. A process that cannot take the shared lock does not
 * write.
 */
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { isErrno } from './errno.ts'
import { LockBlockedError, LockElsewhereError } from './errors.ts'
import type { FilePath } from './file-path.ts'
import { noSecondNames } from './give-name.ts'
import type { Hold } from './lock-queue.ts'
import { identity } from './pure/liveness.ts'
import {
  formatPlaceRecord,
  parsePlaceRecord,
  placeLeaseMs,
  type PlaceRecord,
  placeRecordName,
  placeRefreshMs,
  placesName,
  placeSettleMs,
  tokenIn,
  tokenName,
} from './pure/place-record.ts'
import { temporaryName, unlockedTag } from './pure/temporary-name.ts'
import { sweepRemnants, tagOf } from './sweep-remnants.ts'
import type { World } from './world.ts'

/** How the recorded lock relates to the lock of this process's environment. */
export type Standing =
  /** No lock is recorded, or the directory does not exist. */
  | { readonly kind: 'unrecorded' }
  /** The recorded lock is the lock of this environment. `isCleared`: the file that proves it was deleted since. */
  | { readonly kind: 'here'; readonly token: string; readonly isCleared: boolean }
  /** The recorded lock is another one, and this process can take it too. */
  | { readonly kind: 'both'; readonly token: string; readonly lock: FilePath }
  | { readonly kind: 'away'; readonly lock: string; readonly by: string; readonly why: string }

export interface Found {
  /** The file of the record, present or not; `undefined` if the directory does not exist. */
  readonly file: FilePath | undefined
  readonly standing: Standing
  /** When the lock was last used, by wall clock; 0 if no lock is recorded. */
  readonly usedAt: number
}

interface Seen extends Omit<Found, 'file'> {
  /** Identifies the version of the file. The same value means the same text. */
  readonly state: string
}

const unrecorded: Seen = { state: '', standing: { kind: 'unrecorded' }, usedAt: 0 }
const damaged: Standing = { kind: 'away', lock: '', by: '', why: 'what is written there names no lock' }
/** A record that cannot be parsed counts as unfinished for this long, because another process may be writing it. */
const unfinishedMs = 1_000

export class LockPlace {
  /** The lock that this process's environment names. */
  readonly own: FilePath
  readonly #root: FilePath
  readonly #world: World
  #file: FilePath | undefined
  #tag: string | undefined
  #seen: Seen = unrecorded
  /** When the record was last read, by the monotonic clock. */
  #lookedAt = -Infinity
  #markedAt = -Infinity

  /** `root` must be resolved: all links followed. */
  constructor(root: FilePath, own: FilePath, world: World) {
    this.#root = root
    this.own = own
    this.#world = world
  }

  /** Identifies the directory in the names of temporary files, whichever lock they are written under. */
  get tag(): string | undefined {
    return this.#tag
  }

  get found(): Found {
    const { standing, usedAt } = this.#seen
    return { file: this.#file, standing, usedAt }
  }

  /** All locks that must be held, always in the same order, so that no two processes wait for each other. */
  get locks(): readonly FilePath[] {
    const { standing } = this.#seen
    return standing.kind === 'both' ? [this.own, standing.lock].toSorted() : [this.own]
  }

  /** Checks which directory the root is now, because another one may have been mounted there. */
  async locate(): Promise<void> {
    const [stats] = await this.#world.fs.lstatAll([this.#root])
    if (stats === undefined || !stats.isDirectory()) {
      this.#file = undefined
      this.#seen = unrecorded
      return
    }
    const file = join(this.#root, placesName, placeRecordName(stats)) as FilePath
    if (file === this.#file) return
    this.#file = file
    this.#seen = unrecorded
    this.#tag = createHash('sha256').update(`${stats.dev}-${stats.ino}`).digest('hex').slice(0, 10)
  }

  async look(): Promise<Standing> {
    if (this.#file === undefined) return this.#seen.standing
    this.#lookedAt = this.#world.runtime.monotonic()
    const [stats] = await this.#world.fs.lstatAll([this.#file])
    if (stats === undefined) {
      this.#seen = unrecorded
      return this.#seen.standing
    }
    const now = stateOf(stats)
    if (now === this.#seen.state && (await this.#isInPlace())) return this.#seen.standing
    const record = stats.isFile() ? await this.#read(this.#file) : undefined
    this.#seen = { state: now, standing: await this.#judge(record), usedAt: Number(stats.mtimeNs) / 1e6 }
    return this.#seen.standing
  }

  /** Records that the lock is in use, if that was not recorded recently, so that other processes do not give the place up. */
  async use(): Promise<void> {
    const { fs, runtime } = this.#world
    const { standing, usedAt } = this.#seen
    if (this.#file === undefined || standing.kind === 'unrecorded' || standing.kind === 'away') return
    if (standing.kind === 'here' && standing.isCleared)
      await fs.mkdir(join(dirname(this.own), tokenName(standing.token)), { recursive: true })
    const now = runtime.now()
    if (Math.abs(now - usedAt) < placeRefreshMs) return
    this.#seen = { ...this.#seen, usedAt: now }
    // A file of another user can be read, but its time cannot be set. Then the record is replaced earlier, and every process notices the
    // replacement.
    await fs.utimes(this.#file, now / 1000, now / 1000).catch(() => {})
  }

  /**
   * Called before waiting for a lock. Waits until there is a lock that this process can take, or throws an error that says why there is
   * none.
   */
  async meet(untilDeadline: () => number, signal: AbortSignal | undefined): Promise<void> {
    const { runtime } = this.#world
    for (;;) {
      const standing = await this.look()
      if (standing.kind !== 'away') return
      const unusedMs = Math.abs(runtime.now() - this.#seen.usedAt)
      const leftMs = standing === damaged && unusedMs < unfinishedMs ? 20 : placeLeaseMs - unusedMs
      if (leftMs < 0) await this.#replace(signal)
      else if (leftMs > untilDeadline()) throw this.#elsewhere(standing, unusedMs)
      else await runtime.sleep(Math.min(leftMs + 1, placeSettleMs), signal)
      signal?.throwIfAborted()
    }
  }

  /** Whether work may start under these locks: they are the locks that all writers share, or no lock is recorded. */
  async mayBegin(locks: readonly FilePath[], hold: Hold): Promise<boolean> {
    const { kind } = await this.look()
    if (kind === 'unrecorded' && !(await this.#isStore())) return true
    return this.#isMet(kind, locks, hold)
  }

  /** Whether the held locks are still the ones that all writers share. If no lock is recorded yet, the holder records its own. */
  async mayChange(locks: readonly FilePath[], hold: Hold): Promise<boolean> {
    if (this.#file === undefined) await this.locate()
    const { kind } = this.#isFresh() ? this.#seen.standing : await this.look()
    return this.#isMet(kind, locks, hold)
  }

  /** Whether the record was read recently enough. A process that replaces the record waits for longer than this before it writes. */
  #isFresh(): boolean {
    const { kind } = this.#seen.standing
    return (kind === 'here' || kind === 'both') && this.#world.runtime.monotonic() - this.#lookedAt < placeSettleMs / 4
  }

  async #isMet(kind: Standing['kind'], locks: readonly FilePath[], hold: Hold): Promise<boolean> {
    if (kind === 'away') return false
    if (kind === 'unrecorded') return this.#record(hold)
    if (!this.locks.every((lock) => locks.includes(lock))) return false
    await this.use()
    if (this.#file !== undefined) await sweepRemnants(dirname(this.#file) as FilePath, hold, this.#world)
    return true
  }

  /** Whether the directory contains anything. An empty directory is not written to, because it may be the mount point of a drive. */
  async #isStore(): Promise<boolean> {
    if (this.#file === undefined) return false
    const [stats] = await this.#world.fs.lstatAll([join(this.#root, '_meta')])
    return stats?.isDirectory() === true
  }

  /** Checks the lock of another environment each time, because it may be unmounted. */
  async #isInPlace(): Promise<boolean> {
    const { standing } = this.#seen
    const now = this.#world.runtime.monotonic()
    if (standing.kind === 'both') return isMarked(standing.lock, standing.token, this.#world)
    if (standing.kind !== 'here') return false
    if (now - this.#markedAt < placeSettleMs) return true
    this.#markedAt = now
    return isMarked(this.own, standing.token, this.#world)
  }

  async #read(file: FilePath): Promise<PlaceRecord | undefined> {
    try {
      return parsePlaceRecord(Buffer.from(await this.#world.fs.readFile(file)).toString('utf8'))
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'EACCES', 'EPERM')) return undefined
      throw error
    }
  }

  /**
   * Checks that the recorded path leads to the recorded lock. For this process it may lead elsewhere or nowhere; the file beside the lock
   * proves that it is the right one.
   */
  async #judge(record: PlaceRecord | undefined): Promise<Standing> {
    if (record === undefined) return damaged
    const { token, by } = record
    const lock = record.lock as FilePath
    const { fs, runtime } = this.#world
    if (await isMarked(this.own, token, this.#world)) return { kind: 'here', token, isCleared: false }
    if (lock !== this.own && (await isMarked(lock, token, this.#world))) {
      if (await fs.mayWrite(dirname(lock))) return { kind: 'both', token, lock }
      return { kind: 'away', lock, by, why: `this user may not write to ${dirname(lock)}` }
    }
    const { view } = runtime.surroundings()
    if (lock === this.own && view === record.view && view !== '') return { kind: 'here', token, isCleared: true }
    return { kind: 'away', lock, by, why: 'for this process that path leads elsewhere or nowhere' }
  }

  /** Records the lock of this process. Returns whether all writers take it from now on. */
  async #record(hold: Hold): Promise<boolean> {
    const file = this.#file
    if (file === undefined) return true
    const { fs } = this.#world
    try {
      const draft = await this.#draft(file, tagOf(hold))
      try {
        await fs.link(draft.path, file)
      } catch (error) {
        if (!isErrno(error, ...noSecondNames)) throw error
        // A process that reads a half-written record waits until it is complete.
        await writeNew(file, draft.text, this.#world)
      } finally {
        await discard(draft.path, this.#world)
      }
    } catch (error) {
      // Another process was faster, and may have removed this draft.
      if (!isErrno(error, 'EEXIST', 'ENOENT')) throw this.#cannotRecord(error)
    }
    const { kind } = await this.look()
    return kind === 'here'
  }

  /** Replaces the record, because the recorded lock was unused for long or this process cannot reach it. */
  async #replace(signal: AbortSignal | undefined): Promise<void> {
    const file = this.#file
    if (file === undefined) return
    const { fs, runtime } = this.#world
    const began = runtime.monotonic()
    try {
      // If a process still holds the old lock, it removes this draft. Then the record is not replaced.
      const draft = await this.#draft(file, this.#tag ?? unlockedTag)
      try {
        const [now] = await fs.lstatAll([file])
        const isSame = now !== undefined && stateOf(now) === this.#seen.state
        // After this long another process may have replaced the record, and may be waiting for the end of its pause.
        if (!isSame || runtime.monotonic() - began > placeSettleMs / 2) return
        await fs.rename(draft.path, file)
      } finally {
        await discard(draft.path, this.#world)
      }
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return
      throw this.#cannotRecord(error)
    }
    await runtime.sleep(placeSettleMs, signal)
  }

  async #draft(file: FilePath, tag: string): Promise<{ readonly path: string; readonly text: string }> {
    const { fs, runtime } = this.#world
    const directory = dirname(file)
    const [there] = await fs.lstatAll([directory])
    if (there !== undefined && !there.isDirectory())
      throw new LockBlockedError(this.own, `${directory} is no directory, and no link to one will do. Move it away.`)
    const token = await this.#token()
    if (there === undefined) {
      await fs.mkdir(directory, { recursive: true })
      // Keeps the records out of git, because they are only about this machine.
      await writeNew(join(directory, '.gitignore'), '*\n', this.#world).catch(() => {})
    }
    const { view, name } = runtime.surroundings()
    const text = formatPlaceRecord({ lock: this.own, token, view, by: name })
    const path = join(directory, temporaryName(tag, runtime.newId()))
    await writeNew(path, text, this.#world)
    return { path, text }
  }

  /** The token of the lock. The first process that needs it creates it. */
  async #token(): Promise<string> {
    const { fs, runtime } = this.#world
    const home = dirname(this.own)
    await fs.mkdir(home, { recursive: true })
    for (const name of (await fs.readdir(home)).toSorted()) {
      const token = tokenIn(name)
      if (token !== undefined) return token
    }
    const token = runtime.newId()
    await fs.mkdir(join(home, tokenName(token)))
    return token
  }

  #cannotRecord(cause: unknown): unknown {
    if (!isErrno(cause, 'EACCES', 'EPERM', 'EROFS')) return cause
    return new LockBlockedError(
      this.own,
      `which lock everybody takes for ${this.#root} cannot be written down in ${join(this.#root, placesName)} (${cause.code}). ` +
        'Make that a directory you may write to.',
      { cause },
    )
  }

  #elsewhere({ lock, by, why }: Standing & { readonly kind: 'away' }, unusedMs: number): LockElsewhereError {
    return new LockElsewhereError(this.own, {
      root: this.#root,
      recorded: lock,
      by,
      why,
      unusedMs,
      leaseMs: placeLeaseMs,
      file: this.#file ?? '',
    })
  }
}

function stateOf(stats: Parameters<typeof identity>[0] & { readonly size: bigint }): string {
  return `${identity(stats)}-${stats.size}`
}

async function isMarked(lock: string, token: string, { fs }: World): Promise<boolean> {
  try {
    const [stats] = await fs.lstatAll([join(dirname(lock), tokenName(token))])
    return stats?.isDirectory() === true
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM')) return false
    throw error
  }
}

async function writeNew(path: string, text: string, { fs }: World): Promise<void> {
  const file = await fs.open(path, 'wx', 0o666)
  try {
    await file.writeFile(Buffer.from(text))
  } finally {
    await file.close()
  }
}

/** Removes a file. If that fails, a later sweep removes it. */
async function discard(path: string, { fs }: World): Promise<void> {
  await fs
    .unlink(path)
    .catch(() => fs.unlink(path))
    .catch(() => {})
}
