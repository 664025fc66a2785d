/**
 * A lock directory is created by one system call and gets the name of its process by a second one. A process that finds a lock without a
 * name cannot tell whether its maker was killed between the two calls, is about to make the second one, or is a program that records no
 * names. Therefore each process of this package announces, by a directory beside the lock, that it is about to create a lock. It also marks
 * the lock directory with the sticky bit, which no umask removes and which has no effect on an empty directory.
 */
import { type BigIntStats, constants, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from './errno.ts'
import type { FileSystem, OpenFile } from './file-system.ts'
import { onDeath } from './on-death.ts'
import { staleMs } from './pure/liveness.ts'
import { announcedMs, heartbeat, isRaised, type ProcessName, processOf } from './pure/process-name.ts'
import { isOfEnded } from './processes.ts'
import type { World } from './world.ts'

/** The mode for `mkdir` while its maker is announced. */
const markedMode = 0o1777
const prefix = 'making-'
/** A process removes its announcement after it has made nothing for this long. */
const idleMs = 200

/** How a new directory is marked with its maker; empty if processes have no recorded names on this system. */
export interface Mark {
  readonly name?: ProcessName
  readonly mode?: number
}

/** Announces this process while `make` creates a directory in `home` with the given mode and names it. */
export async function whileMaking<T>(home: string, world: World, make: (mark: Mark) => Promise<T>): Promise<T> {
  const name = world.runtime.processes.self()
  if (name === undefined || !(await world.fs.isOurs(home))) return make({})
  const announcement = announcementOf(home, world)
  try {
    await announcement.raise(name)
  } catch {
    return make({})
  }
  try {
    return await make({ name, mode: markedMode })
  } finally {
    await announcement.lower(name)
  }
}

/** Whether a process of this package created this directory and was killed before it could name it. */
export async function isOfDeadMaker(stats: BigIntStats, home: string, { fs, runtime }: World): Promise<boolean> {
  if (!isUnnamed(stats)) return false
  let found = false
  for (const name of await fs.readdir(home)) {
    if (!name.startsWith(prefix)) continue
    const announced = await statsOf(join(home, name), fs)
    if (announced === undefined || !isRaised(announced)) continue
    // A living process, or one that cannot be checked from here, may have made it.
    if (!isOfEnded(announced, runtime.processes)) return false
    found = true
  }
  return found
}

/**
 * Removes the announcements of dead processes, unless a directory without a name is left that one of them may have made. Without the
 * announcement nobody could tell that its maker is dead. The directories are checked after the processes, because a dead process can no
 * longer create one.
 */
export async function sweepAnnouncements(home: string, world: World): Promise<void> {
  const { fs, runtime } = world
  const over: string[] = []
  for (const name of await fs.readdir(home)) {
    if (!name.startsWith(prefix)) continue
    const stats = await statsOf(join(home, name), fs)
    if (stats === undefined) continue
    const isOld = Math.abs(runtime.now() - Number(stats.mtimeMs)) > 6 * staleMs
    if (isOld || isOfEnded(stats, runtime.processes)) over.push(join(home, name))
  }
  if (over.length === 0 || (await hasUnnamed(home, fs))) return
  for (const place of over) await fs.rmdir(place).catch(() => {})
}

/** Whether a process of this package created a directory here that still has no name. */
async function hasUnnamed(home: string, fs: FileSystem): Promise<boolean> {
  for (const name of await fs.readdir(home)) {
    const stats = name.startsWith(prefix) ? undefined : await statsOf(join(home, name), fs)
    if (stats !== undefined && isUnnamed(stats)) return true
  }
  return false
}

function isUnnamed(stats: BigIntStats): boolean {
  return (Number(stats.mode) & 0o1000) !== 0 && processOf(stats) === undefined
}

async function statsOf(place: string, fs: FileSystem): Promise<BigIntStats | undefined> {
  return fs.lstat(place).catch(() => undefined)
}

/** One entry for each file system. Only tests use another file system than the real one. */
const announcements = new WeakMap<FileSystem, Map<string, Announcement>>()

function announcementOf(home: string, world: World): Announcement {
  const known = announcements.get(world.fs) ?? new Map<string, Announcement>()
  announcements.set(world.fs, known)
  const announcement = known.get(home) ?? new Announcement(home, world)
  known.set(home, announcement)
  return announcement
}

interface Made {
  readonly descriptor: OpenFile
  readonly forget: () => void
  readonly place: string
}

/** An empty directory whose times contain the name of its process. */
class Announcement {
  readonly #home: string
  readonly #world: World
  #made: Promise<Made> | undefined
  #raised = 0
  #lowered = 0
  /** When this process last checked that the directory exists. */
  #looked = -Infinity
  #waiting = false

  constructor(home: string, world: World) {
    this.#home = home
    this.#world = world
  }

  async raise(name: ProcessName): Promise<void> {
    this.#raised += 1
    try {
      const { descriptor } = await this.#inPlace()
      await this.#show(descriptor, name, true)
    } catch (error) {
      this.#rest()
      throw error
    }
  }

  async lower(name: ProcessName): Promise<void> {
    if (this.#rest() > 0) return
    try {
      const made = await this.#made
      if (made !== undefined) await this.#show(made.descriptor, name, false)
    } catch {
      // The announcement stays up. Other processes then wait as long as for a program that records no names.
    }
  }

  /** Ends one announced creation, and returns how many are still running in this process. */
  #rest(): number {
    this.#raised -= 1
    this.#lowered = this.#world.runtime.monotonic()
    if (this.#raised === 0 && !this.#waiting) void this.#withdrawSoon()
    return this.#raised
  }

  async #show(descriptor: OpenFile, name: ProcessName, isUp: boolean): Promise<void> {
    const { accessed, modified } = heartbeat(announcedMs(this.#world.runtime.now(), isUp), name)
    await descriptor.utimes(accessed, modified)
  }

  /** Creates the directory again if somebody has cleared the cache. */
  async #inPlace(): Promise<Made> {
    const made = await this.#made?.catch(() => undefined)
    const now = this.#world.runtime.monotonic()
    if (made !== undefined && now - this.#looked < idleMs) return made
    this.#looked = now
    if (made !== undefined && (await made.descriptor.stat()).nlink > 0n) return made
    if (made !== undefined) await forget(made)
    this.#made = this.#make()
    return this.#made
  }

  async #make(): Promise<Made> {
    const { fs, runtime } = this.#world
    const place = join(this.#home, `${prefix}${runtime.newId()}`)
    await fs.mkdir(place).catch(async (error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error
      await fs.mkdir(this.#home, { recursive: true })
      await fs.mkdir(place)
    })
    const undo = fs.isSimulated ? () => {} : onDeath(() => rmdirSync(place))
    try {
      const descriptor = await fs.open(place, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
      return { descriptor, forget: undo, place }
    } catch (error) {
      undo()
      await fs.rmdir(place).catch(() => {})
      throw error
    }
  }

  async #withdrawSoon(): Promise<void> {
    this.#waiting = true
    const { fs, runtime } = this.#world
    for (let leftMs = idleMs; leftMs > 0;) {
      await runtime.sleep(leftMs, undefined, { keepsAlive: false })
      leftMs = this.#raised > 0 ? idleMs : this.#lowered + idleMs - runtime.monotonic()
    }
    this.#waiting = false
    const made = this.#made
    this.#made = undefined
    announcements.get(fs)?.delete(this.#home)
    const gone = await made?.catch(() => undefined)
    if (gone === undefined) return
    await fs.rmdir(gone.place).catch(() => {})
    await forget(gone)
  }
}

async function forget({ descriptor, forget: undo }: Made): Promise<void> {
  undo()
  await descriptor.close().catch(() => {})
}
