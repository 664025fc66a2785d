/**
 * The lock that the writers of one directory share. Each takes the lock that its own environment names, because programs of the
 * Python
 * implementation take no other. Where that is not the one everybody takes, it takes that one too: the first writer has written it down
 * in the directory itself, the only place that all of them surely share. Who cannot reach it writes nothing.
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

/** How what is written down relates to the lock of this process's environment. */
export type Standing =
  /** Nobody has written anything down, or there is no directory to write it into. */
  | { readonly kind: 'unrecorded' }
  /** It is the very lock of this environment. `isCleared`: somebody has emptied the place since. */
  | { readonly kind: 'here'; readonly token: string; readonly isCleared: boolean }
  /** It is another one, and can be taken too. */
  | { readonly kind: 'both'; readonly token: string; readonly lock: FilePath }
  | { readonly kind: 'away'; readonly lock: string; readonly by: string; readonly why: string }

export interface Found {
  /** Where it is written down, or would be; nothing where there is no directory. */
  readonly file: FilePath | undefined
  readonly standing: Standing
  /** When it was last used, by wall clock; 0 where nothing is written down. */
  readonly usedAt: number
}

interface Seen extends Omit<Found, 'file'> {
  /** Of the file: the same state, the same text. */
  readonly state: string
}

const unrecorded: Seen = { state: '', standing: { kind: 'unrecorded' }, usedAt: 0 }
const damaged: Standing = { kind: 'away', lock: '', by: '', why: 'what is written there names no lock' }
/** Somebody may be just writing it. */
const unfinishedMs = 1_000

export class LockPlace {
  /** The lock of this process's environment. */
  readonly own: FilePath
  readonly #root: FilePath
  readonly #world: World
  #file: FilePath | undefined
  #tag: string | undefined
  #seen: Seen = unrecorded
  /** By the monotonic clock. */
  #lookedAt = -Infinity
  #markedAt = -Infinity

  /** `root`: links followed. */
  constructor(root: FilePath, own: FilePath, world: World) {
    this.#root = root
    this.own = own
    this.#world = world
  }

  /** Stands for the directory in the names of files that are being written in it, whichever lock they are written under. */
  get tag(): string | undefined {
    return this.#tag
  }

  get found(): Found {
    const { standing, usedAt } = this.#seen
    return { file: this.#file, standing, usedAt }
  }

  /** All that must be held, always in one order, so that no two of us wait for each other. */
  get locks(): readonly FilePath[] {
    const { standing } = this.#seen
    return standing.kind === 'both' ? [this.own, standing.lock].toSorted() : [this.own]
  }

  /** Which directory the root is now: another one may have been mounted there. */
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
    // Another user's file may be read and not touched. It is given up sooner then, which everybody notices.
    await fs.utimes(this.#file, now / 1000, now / 1000).catch(() => {})
  }

  /** Before a lock is waited for: waits until there is one that this process can take, or refuses and says why not. */
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

  /** Whether work may begin under these locks: they are what everybody takes, as far as anything is written down. */
  async mayBegin(locks: readonly FilePath[], hold: Hold): Promise<boolean> {
    const { kind } = await this.look()
    if (kind === 'unrecorded' && !(await this.#isStore())) return true
    return this.#isMet(kind, locks, hold)
  }

  /** Whether what is held is still what everybody takes. Where nothing is written down yet, the holder writes it down. */
  async mayChange(locks: readonly FilePath[], hold: Hold): Promise<boolean> {
    if (this.#file === undefined) await this.locate()
    const { kind } = this.#isFresh() ? this.#seen.standing : await this.look()
    return this.#isMet(kind, locks, hold)
  }

  /** Whoever writes another place down waits for longer than this before doing anything there. */
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

  /** Whether something is kept here: a directory on which a drive is to be mounted is empty, and stays so. */
  async #isStore(): Promise<boolean> {
    if (this.#file === undefined) return false
    const [stats] = await this.#world.fs.lstatAll([join(this.#root, '_meta')])
    return stats?.isDirectory() === true
  }

  /** Of another environment's place that is always asked: it may be unmounted. */
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

  /** The path may lead elsewhere for this process, or nowhere: what lies beside the lock says whether it is the one that was meant. */
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

  /** Whether everybody takes the lock of this process from now on. */
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
        // Whoever reads it half-written waits for the other half.
        await writeNew(file, draft.text, this.#world)
      } finally {
        await discard(draft.path, this.#world)
      }
    } catch (error) {
      // Somebody was faster, and has perhaps swept the draft away.
      if (!isErrno(error, 'EEXIST', 'ENOENT')) throw this.#cannotRecord(error)
    }
    const { kind } = await this.look()
    return kind === 'here'
  }

  /** Nobody has used the place for long, or for this process it is none. */
  async #replace(signal: AbortSignal | undefined): Promise<void> {
    const file = this.#file
    if (file === undefined) return
    const { fs, runtime } = this.#world
    const began = runtime.monotonic()
    try {
      // Whoever still holds the lock that is given up here sweeps this away: then it is not given up.
      const draft = await this.#draft(file, this.#tag ?? unlockedTag)
      try {
        const [now] = await fs.lstatAll([file])
        const isSame = now !== undefined && stateOf(now) === this.#seen.state
        // So late that somebody else may have replaced it, and be waiting for the end of that.
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
      // It says something about this machine only.
      await writeNew(join(directory, '.gitignore'), '*\n', this.#world).catch(() => {})
    }
    const { view, name } = runtime.surroundings()
    const text = formatPlaceRecord({ lock: this.own, token, view, by: name })
    const path = join(directory, temporaryName(tag, runtime.newId()))
    await writeNew(path, text, this.#world)
    return { path, text }
  }

  /** One for each place, whoever needs it first. */
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

/** What stays is swept later. */
async function discard(path: string, { fs }: World): Promise<void> {
  await fs
    .unlink(path)
    .catch(() => fs.unlink(path))
    .catch(() => {})
}
