/**
 * Removes what killed writers left in a directory that is being written. Under the lock a remnant was written under
 * there is no doubt whose it is; of all others only age tells that nobody is still writing them.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { askLast } from './ask-last.ts'
import { isErrno } from './errno.ts'
import type { FilePath } from './file-path.ts'
import { type FileSystem, nodeFileSystem } from './file-system.ts'
import type { Hold, LiveHold } from './lock-queue.ts'
import { openDirectory, type OpenDirectory } from './open-directory.ts'
import { clearAway, putBack } from './put-back.ts'
import { mayBeDirectory, remnantKind, unlockedTag } from './pure/temporary-name.ts'
import { nodeRuntime } from './runtime.ts'
import type { World } from './world.ts'

const oldMs = 3_600_000
const rememberedDirectories = 10_000

/** What one process knows of its disk. */
interface Sweeping {
  /** Files it is writing right now: other work of the same hold may be what sweeps. */
  readonly inFlight: Set<string>
  /** Directories swept under a lock, and the state of its deaths at that time: another death is a reason to look again. */
  readonly swept: Map<string, bigint>
}

/** Per file system, which only tests replace. */
const sweepings = new WeakMap<FileSystem, Sweeping>()
const tags = new Map<string, string>()

function sweepingOf(fs: FileSystem): Sweeping {
  const sweeping = sweepings.get(fs) ?? { inFlight: new Set(), swept: new Map() }
  sweepings.set(fs, sweeping)
  return sweeping
}

/** Runs `work` while nobody here takes this file for a remnant. */
export async function whileInFlight<T>(path: string, fs: FileSystem, work: () => Promise<T>): Promise<T> {
  const { inFlight } = sweepingOf(fs)
  inFlight.add(path)
  try {
    return await work()
  } finally {
    inFlight.delete(path)
  }
}

/** Once per directory and process, and again after a writer was found dead. Never fails: a write matters more. */
export async function sweepRemnants(directory: FilePath, hold: Hold, world: Partial<World> = {}): Promise<void> {
  const { fs = nodeFileSystem, runtime = nodeRuntime } = world
  if (isKnown(directory, hold, fs)) return
  const open = await openDirectory(directory, fs).catch(() => undefined)
  if (open === undefined) return
  try {
    if (await sweep(open, hold, { fs, runtime })) know(directory, hold, fs)
  } finally {
    await open.close()
  }
}

/** Whether this process has been here since the last writer was found dead. */
export function isKnown(directory: FilePath, hold: Hold, fs: FileSystem): boolean {
  return sweepingOf(fs).swept.get(placeOf(directory, hold)) === deathsOf(hold)
}

export function know(directory: FilePath, hold: Hold, fs: FileSystem): void {
  const { swept } = sweepingOf(fs)
  if (swept.size >= rememberedDirectories) swept.clear()
  swept.set(placeOf(directory, hold), deathsOf(hold))
}

/** Whether the directory could be swept: it may be absent, or not ours to list. */
export async function sweep(directory: OpenDirectory, hold: Hold, world: World): Promise<boolean> {
  try {
    await sweepAll(directory, hold, await world.fs.readdir(directory.self), world)
    return true
  } catch {
    return false
  }
}

/**
 * Before a name is removed, and without a fault that is passed over: what a killed remover left is an older copy of that name, and
 * would be put back once the name is gone.
 */
export async function sweepBeforeRemoval(directory: OpenDirectory, hold: Hold, world: World): Promise<void> {
  if (isKnown(directory.path, hold, world.fs)) return
  const names = await world.fs.readdir(directory.self).catch((error: unknown) => {
    // Who may not list the directory has never swept it.
    if (isErrno(error, 'EACCES')) return []
    throw error
  })
  await sweepAll(directory, hold, names, world)
  know(directory.path, hold, world.fs)
}

async function sweepAll(directory: OpenDirectory, hold: Hold, names: readonly string[], world: World): Promise<void> {
  for (const name of names) await sweepOne(directory, name, hold, world)
}

function placeOf(directory: FilePath, hold: Hold): string {
  return `${(hold as Partial<LiveHold>).lockDirectory ?? ''}\0${directory}`
}

function deathsOf(hold: Hold): bigint {
  return (hold as Partial<LiveHold>).deaths ?? 0n
}

async function sweepOne(directory: OpenDirectory, name: string, hold: Hold, { fs, runtime }: World): Promise<void> {
  const kind = remnantKind(name, tagsOf(hold))
  if (kind === undefined || sweepingOf(fs).inFlight.has(join(directory.path, name))) return
  const path = directory.at(name)
  const stats = await fs.lstat(path)
  const isDirectory = stats.isDirectory() && mayBeDirectory(name)
  if (!stats.isFile() && !isDirectory) return
  if (kind === 'old' && runtime.now() - Number(stats.mtimeMs) <= oldMs) return
  await askLast(hold)
  if (!isDirectory) await fs.unlink(path)
  // Of another machine, or of long ago: what was to be removed has not been there since, and comes back no more.
  else await (kind === 'now' ? putBack : clearAway)(directory, name, fs)
}

/** Stands, in the names of files that are being written, for all who may not write at the same time. */
export function tagOf(hold: Hold | undefined): string {
  return tagsOf(hold)[0] ?? unlockedTag
}

/** The lock also has one: under it, the first writer of a directory begins before there is one. */
function tagsOf(hold: Hold | undefined): readonly string[] {
  const { lockDirectory, tag } = (hold ?? {}) as Partial<LiveHold>
  if (lockDirectory === undefined) return []
  const ofLock = tags.get(lockDirectory) ?? createHash('sha256').update(lockDirectory).digest('hex').slice(0, 10)
  if (tags.size >= rememberedDirectories) tags.clear()
  tags.set(lockDirectory, ofLock)
  return tag === undefined ? [ofLock] : [tag, ofLock]
}
