/**
 * A lock that this process created, from its creation to its release. The process keeps the lock directory open and knows it by its inode
 * number. While it is open, no other directory can get the number, so a heartbeat or a release never touches the lock of another process.
 * Windows cannot open directories; there the number and the time of our last heartbeat distinguish our lock from a successor's. The birth
 * time is not used, because some kernels report the time of the last change instead. Nothing is ever put inside the lock directory, because
 * other implementations could not remove it then.
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

/** What is known about the lock directory from its creation on. */
interface Making {
  readonly lockDirectory: string
  readonly since: Moment
  /** The heartbeat times, by wall clock, that may be on the disk: the last one and the one being written. */
  beats: readonly number[]
  /** The process name that its times contain; `undefined` if the disk cannot store such times. */
  name: ProcessName | undefined
  inode: Inode | undefined
  descriptor: OpenFile | undefined
  forget: () => void
}

const releaseTries = 3

export class HeldLock {
  readonly lockDirectory: string
  /** Changes whenever a process of this package finds a dead holder of this lock. */
  readonly deaths: bigint
  /** True once another process has taken the lock. It never becomes false again. */
  lost = false
  readonly #world: World
  readonly #making: Making
  /** The heartbeat that is being written. */
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

  /** Whether the last heartbeat is so old that another process may have taken the lock over. */
  get late(): boolean {
    return elapsed(this.#beat, this.#world) > leaseMs
  }

  /** Checks the lock on disk. A holder whose heartbeat is late must win an election for its own lock, like any other process. */
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

  /** A failure here does not affect the finished work, because a lock that cannot be removed expires after seconds. */
  async #removed(): Promise<boolean> {
    try {
      if (!(await this.isOurs())) return true
      // This process was suspended during the check, so the directory may now be a successor's lock.
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
      // The disk error may be temporary. If it is not, the lease expires and the next check reports it.
    }
  }

  async #touch(): Promise<void> {
    const since = moment(this.#world)
    await touch(this.#making, since, this.#world)
    this.#beat = since
  }
}

/** Creates the lock. Returns `undefined` if another process took it over before it was confirmed. Throws the error of `mkdir`. */
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
    // After this long another process may have taken the lock over, so the directory that was opened may be that process's.
    if (elapsed(since, world) <= leaseMs) return new HeldLock(world, making, deaths ?? 0n)
    await abandon(making)
    return undefined
  } catch (error) {
    const taken = isErrno(error, 'ENOENT')
    // If the lock was already taken away, the directory at this path may belong to another process.
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
  // The opened directory may by now belong to another process, so it must not get our name.
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

/** Runs while the process is ending, so it is synchronous. */
function undo(making: Making, world: World): void {
  const { lockDirectory, inode, since } = making
  const ours =
    inode === undefined ? elapsed(since, world) <= leaseMs : isOurs(lstatSync(lockDirectory, { bigint: true }), making)
  if (ours) rmdirSync(lockDirectory)
}

export const deathsOf = (lockDirectory: string): string => join(dirname(lockDirectory), 'deaths')

async function lastDeath(lockDirectory: string, { fs }: World): Promise<bigint> {
  // Usually the `deaths` directory is absent, and an exception for that would cost more than this query.
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

/** Uses the clock that advanced further, because one clock stops while the machine sleeps and the other may be set back. */
function elapsed(since: Moment, world: World): number {
  const { wall, monotonic } = moment(world)
  return Math.max(wall - since.wall, monotonic - since.monotonic)
}
