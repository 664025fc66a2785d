/**
 * A lock this process made, from its creation to its release. It is known by inode through an open descriptor: while
 * that is open the number cannot be given to another directory, so a heartbeat touches, and a release removes, only our
 * own. Windows opens no directories; there the number and the time of our own last heartbeat tell ours from a successor's.
 * Its birth time tells nothing: where the kernel keeps none, it moves with every heartbeat. Nothing is ever put inside the
 * lock directory; a peer could not remove it.
 */
import { constants, lstatSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { both } from './both.ts'
import { elect } from './election.ts'
import { isErrno } from './errno.ts'
import type { OpenFile } from './file-system.ts'
import { keepAlive, letDie } from './heart.ts'
import { type Mark, whileMaking } from './making.ts'
import { beforeDeath, onDeath } from './on-death.ts'
import { identity, isHeartbeat, leaseMs } from './pure/liveness.ts'
import { heartbeat, isSameProcess, type ProcessName, processOf } from './pure/process-name.ts'
import type { World } from './world.ts'

type Inode = { readonly dev: bigint; readonly ino: bigint }
type Stats = Inode & { readonly mtimeNs: bigint }

interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** What is known of the directory from the moment it exists. */
interface Making {
  readonly lockDirectory: string
  readonly since: Moment
  /** The heartbeats, by wall clock, that may be on the disk: the last one, and the one under way. */
  beats: readonly number[]
  /** What its times say; nothing where the disk keeps no such times. */
  name: ProcessName | undefined
  inode: Inode | undefined
  descriptor: OpenFile | undefined
  forget: () => void
}

const releaseTries = 3

export class HeldLock {
  readonly lockDirectory: string
  /** Changes whenever one of us has found a holder of this lock dead. */
  readonly deaths: bigint
  /** Set once another process has the lock. It does not come back. */
  lost = false
  readonly #world: World
  readonly #making: Making
  /** The heartbeat under way. */
  #beating: Promise<void> | undefined
  #reviving: Promise<boolean> | undefined
  #beat: Moment

  constructor(world: World, made: Making, deaths: bigint) {
    this.lockDirectory = made.lockDirectory
    this.deaths = deaths
    this.#world = world
    this.#making = made
    this.#beat = made.since
    keepAlive(this, world.runtime)
  }

  /** So long without a heartbeat that others may have taken over. */
  get late(): boolean {
    return elapsed(this.#beat, this.#world) > leaseMs
  }

  /** Asks the disk. A holder whose heartbeat is late has to win its own lock again, like any other process. */
  async isOurs(): Promise<boolean> {
    if (this.lost) return false
    const ours = this.late ? await this.#revive() : await this.#isInPlace()
    if (!ours) this.lost = true
    return ours
  }

  async release(): Promise<void> {
    letDie(this, this.#world.runtime)
    if (this.#beating !== undefined) await this.#beating
    for (let tried = 0; tried < releaseTries && !(await this.#removed()); tried++)
      await this.#world.runtime.sleep(5 * tried)
    await abandon(this.#making)
  }

  /** A fault here takes nothing back from the work that is done: what stays is stale in seconds and then taken over. */
  async #removed(): Promise<boolean> {
    try {
      if (!(await this.isOurs())) return true
      // It stood still over the answer: what is there by now may be a successor's.
      if (this.late) return false
      await this.#world.fs.rmdir(this.lockDirectory)
      return true
    } catch {
      return false
    }
  }

  async #isInPlace(): Promise<boolean> {
    try {
      return isOurs(await this.#world.fs.lstat(this.lockDirectory), this.#making)
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR')) return false
      throw error
    }
  }

  async #revive(): Promise<boolean> {
    this.#reviving ??= this.#winBack().finally(() => (this.#reviving = undefined))
    return this.#reviving
  }

  async #winBack(): Promise<boolean> {
    if (!(await this.#isInPlace())) return false
    const state = identity(await this.#world.fs.lstat(this.lockDirectory))
    let won = false
    await elect(this.lockDirectory, state, this.#world, async (inTime) => {
      if (!(await this.#isInPlace()) || !inTime()) return
      await this.#touch()
      won = await this.#isInPlace()
    })
    return won
  }

  beat(): void {
    if (this.lost || this.#beating !== undefined) return
    this.#beating = this.#touchIfOurs().finally(() => (this.#beating = undefined))
  }

  async #touchIfOurs(): Promise<void> {
    try {
      if (await this.isOurs()) await this.#touch()
    } catch {
      // A fault of the disk may pass. If it does not, the lease runs out and the next check says so.
    }
  }

  async #touch(): Promise<void> {
    const since = moment(this.#world)
    await touch(this.#making, since, this.#world)
    this.#beat = since
  }
}

/** The lock, or `undefined` where it was taken from us before it was ours for sure. Throws what `mkdir` says. */
export async function makeLock(lockDirectory: string, world: World): Promise<HeldLock | undefined> {
  const making = whileMaking(dirname(lockDirectory), world, (mark) => make(lockDirectory, world, mark))
  return world.fs.isSimulated ? making : beforeDeath(making)
}

async function make(lockDirectory: string, world: World, { name, mode }: Mark): Promise<HeldLock | undefined> {
  const since = moment(world)
  const making: Making = {
    lockDirectory,
    since,
    beats: [],
    name,
    inode: undefined,
    descriptor: undefined,
    forget: () => {},
  }
  await world.fs.mkdir(lockDirectory, mode === undefined ? {} : { mode })
  if (!world.fs.isSimulated) making.forget = onDeath(() => undo(making, world))
  try {
    const [, deaths] = await both(identify(making, world), lastDeath(lockDirectory, world))
    // So late that others may have taken it over: what was opened is then perhaps theirs.
    if (elapsed(since, world) <= leaseMs) return new HeldLock(world, making, deaths ?? 0n)
    await abandon(making)
    return undefined
  } catch (error) {
    const taken = isErrno(error, 'ENOENT')
    // What is gone already may be another's by now.
    if (!taken && elapsed(since, world) <= leaseMs) await world.fs.rmdir(lockDirectory).catch(() => {})
    await abandon(making)
    if (taken) return undefined
    throw error
  }
}

async function identify(making: Making, world: World): Promise<void> {
  const { lockDirectory, since } = making
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  if (world.fs.platform !== 'win32') making.descriptor = await world.fs.open(lockDirectory, flags)
  // So late that what was opened is perhaps another's: it must not be given our name.
  if (elapsed(since, world) > leaseMs) return
  await touch(making, since, world)
  const { dev, ino, ...times } = await (making.descriptor?.stat() ?? world.fs.lstat(lockDirectory))
  making.inode = { dev, ino }
  if (making.name === undefined || isSameProcess(processOf(times), making.name)) return
  making.name = undefined
  await touch(making, since, world)
}

async function touch(making: Making, { wall }: Moment, { fs }: World): Promise<void> {
  const { lockDirectory, descriptor, name } = making
  const { accessed, modified } = heartbeat(wall, name)
  making.beats = [...making.beats.slice(-1), wall]
  await (descriptor === undefined
    ? fs.utimes(lockDirectory, accessed, modified)
    : descriptor.utimes(accessed, modified))
  making.beats = [wall]
}

async function abandon({ descriptor, forget }: Making): Promise<void> {
  forget()
  await descriptor?.close().catch(() => {})
}

/** Runs while the process dies, so it cannot wait. */
function undo(making: Making, world: World): void {
  const { lockDirectory, inode, since } = making
  const ours =
    inode === undefined ? elapsed(since, world) <= leaseMs : isOurs(lstatSync(lockDirectory, { bigint: true }), making)
  if (ours) rmdirSync(lockDirectory)
}

export const deathsOf = (lockDirectory: string): string => join(dirname(lockDirectory), 'deaths')

async function lastDeath(lockDirectory: string, { fs }: World): Promise<bigint> {
  // Mostly nobody has died, and an error for that would cost more than the question.
  const [deaths] = await fs.lstatAll([deathsOf(lockDirectory)])
  return deaths?.mtimeNs ?? 0n
}

function isOurs({ dev, ino, mtimeNs }: Stats, { inode, descriptor, beats }: Making): boolean {
  if (dev !== inode?.dev || ino !== inode.ino) return false
  return descriptor !== undefined || beats.some((beat) => isHeartbeat(mtimeNs, beat))
}

function moment({ runtime }: World): Moment {
  return { wall: runtime.now(), monotonic: runtime.monotonic() }
}

/** By the clock that advanced further: one stands still while the machine sleeps, the other may have been set back. */
function elapsed(since: Moment, world: World): number {
  const { wall, monotonic } = moment(world)
  return Math.max(wall - since.wall, monotonic - since.monotonic)
}
