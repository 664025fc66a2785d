/**
 * One attempt to take a lock. Returns the lock, or why it is not free yet. A lock whose holder died is removed on the way, by one process
 * only.
 */
import type { BigIntStats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { elect, sweepClaims } from './election.ts'
import { isErrno } from './errno.ts'
import { LockBlockedError } from './errors.ts'
import { deathsOf, makeLock, type HeldLock } from './held-lock.ts'
import { isOfDeadMaker, sweepAnnouncements } from './making.ts'
import { identity, isDead, untilDeadMs } from './pure/liveness.ts'
import { isSameProcess, processOf } from './pure/process-name.ts'
import { isOfEnded } from './processes.ts'
import type { World } from './world.ts'

/** Another process holds the lock. */
export interface Busy {
  /** Time since the holder's last heartbeat. */
  readonly ageMs: number
  /** Try again after at most this long; 0 if the lock has just been released. */
  readonly againMs: number
}

/** The last state of the lock that this process saw, and when it first saw it. */
export interface Sighting {
  identity: string
  since: number
}

const gone: Busy = { ageMs: 0, againMs: 0 }

export async function takeLock(lockDirectory: string, world: World, sighting: Sighting): Promise<HeldLock | Busy> {
  try {
    return (await makeWithHome(lockDirectory, world)) ?? gone
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return look(lockDirectory, world, sighting)
    if (isErrno(error, 'ENOENT')) return gone
    // Windows reports this error for a directory that is being removed.
    if (world.fs.platform === 'win32' && isErrno(error, 'EPERM', 'EACCES')) return { ageMs: 0, againMs: 50 }
    throw cannotMake(lockDirectory, error)
  }
}

/** Checks the lock before the attempt, because after the first attempt a check costs all processes less than another attempt. */
export async function retakeLock(lockDirectory: string, world: World, sighting: Sighting): Promise<HeldLock | Busy> {
  const busy = await look(lockDirectory, world, sighting)
  return busy === gone ? takeLock(lockDirectory, world, sighting) : busy
}

async function makeWithHome(lockDirectory: string, world: World): Promise<HeldLock | undefined> {
  try {
    return await makeLock(lockDirectory, world)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
  const home = dirname(lockDirectory)
  await world.fs.mkdir(home, { recursive: true }).catch((error: unknown) => {
    throw cannotMake(lockDirectory, error)
  })
  return makeLock(lockDirectory, world)
}

async function look(lockDirectory: string, world: World, sighting: Sighting): Promise<Busy> {
  const stats = await world.fs.lstat(lockDirectory).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined
    throw cannotMake(lockDirectory, error)
  })
  if (stats === undefined) return gone
  if (!stats.isDirectory()) throw blocked(lockDirectory, stats.isSymbolicLink() ? 'a symbolic link' : 'not a directory')
  const now = world.runtime.monotonic()
  const state = identity(stats)
  if (sighting.identity !== state) Object.assign(sighting, { identity: state, since: now })
  const ageMs = world.runtime.now() - Number(stats.mtimeNs) / 1e6
  const unchangedMs = now - sighting.since
  const isOver =
    isDead(ageMs, unchangedMs) ||
    isOfEnded(stats, world.runtime.processes) ||
    (await isOfDeadMaker(stats, dirname(lockDirectory), world))
  if (!isOver) return { ageMs, againMs: untilDeadMs(ageMs, unchangedMs) }
  const decided = await bury(lockDirectory, stats, world)
  return decided ? gone : { ageMs, againMs: 5 }
}

async function bury(lockDirectory: string, dead: BigIntStats, world: World): Promise<boolean> {
  const { fs } = world
  const state = identity(dead)
  return elect(lockDirectory, state, world, async (inTime) => {
    await noteDeath(deathsOf(lockDirectory), world)
    try {
      const now = await fs.lstat(lockDirectory)
      // The first look may have come while the holder was setting the times of the lock, so it may have read half of a process name.
      const isSame = identity(now) === state && isSameProcess(processOf(now), processOf(dead))
      if (!isSame || !inTime()) return
      await fs.rmdir(lockDirectory)
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return
      if (isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw blocked(lockDirectory, 'not empty', error)
      throw cannotMake(lockDirectory, error)
    }
    await sweepClaims(lockDirectory, world).catch(() => {})
    await sweepAnnouncements(dirname(lockDirectory), world).catch(() => {})
  })
}

/** Changes the time of the `deaths` directory, so that all processes notice that a writer has died and remove the files it left. */
async function noteDeath(deaths: string, { fs, runtime }: World): Promise<void> {
  const now = runtime.now() / 1000
  await fs.mkdir(deaths, { recursive: true })
  try {
    await fs.utimes(deaths, now, now)
  } catch (error) {
    if (!isErrno(error, 'EPERM', 'EACCES')) throw error
    // Another user owns this directory, and only its owner may set its time.
    await fs.rmdir(deaths).catch(() => {})
    await fs.mkdir(deaths, { recursive: true })
  }
}

function blocked(lockDirectory: string, what: string, cause?: unknown): LockBlockedError {
  return new LockBlockedError(
    lockDirectory,
    `${lockDirectory} is ${what}, and a lock is an empty directory. Look at what it is, then remove it.`,
    { cause },
  )
}

function cannotMake(lockDirectory: string, cause: unknown): unknown {
  if (!isErrno(cause, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG')) return cause
  const place = dirname(dirname(lockDirectory))
  return new LockBlockedError(
    lockDirectory,
    `the ${basename(lockDirectory)} ${lockDirectory} cannot be made or removed (${cause.code}). ` +
      `Make ${place} a directory you may write to. Programs of the Python implementation take the lock there, and no other.`,
    { cause },
  )
}
