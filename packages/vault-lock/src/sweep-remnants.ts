/**
 * Removes the temporary files that killed writers left in a directory. The holder of the lock that a file was written under may remove it
 * at once. Any other file is removed only when it is old, because its writer may still be running.
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

/** What this process knows about its own files on one disk. */
interface Sweeping {
  /** Files that this process is writing now. A sweep must keep them, because other work under the same hold may start it. */
  readonly inFlight: Set<string>
  /** Directories that were swept, each with the `deaths` value of that time. Another value is a reason to sweep again. */
  readonly swept: Map<string, bigint>
}

/** One entry for each file system. Only tests use another file system than the real one. */
const sweepings = new WeakMap<FileSystem, Sweeping>()
const tags = new Map<string, string>()

function sweepingOf(fs: FileSystem): Sweeping {
  const sweeping = sweepings.get(fs) ?? { inFlight: new Set(), swept: new Map() }
  sweepings.set(fs, sweeping)
  return sweeping
}

/** Runs `work`, during which no sweep of this process removes this file. */
export async function whileInFlight<T>(path: string, fs: FileSystem, work: () => Promise<T>): Promise<T> {
  const { inFlight } = sweepingOf(fs)
  inFlight.add(path)
  try {
    return await work()
  } finally {
    inFlight.delete(path)
  }
}

/**
 * Sweeps once per directory and process, and again after a dead writer was found. Never fails, because the write that follows matters more.
 */
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

/** Whether this process has swept the directory since the last dead writer was found. */
export function isKnown(directory: FilePath, hold: Hold, fs: FileSystem): boolean {
  return sweepingOf(fs).swept.get(placeOf(directory, hold)) === deathsOf(hold)
}

export function know(directory: FilePath, hold: Hold, fs: FileSystem): void {
  const { swept } = sweepingOf(fs)
  if (swept.size >= rememberedDirectories) swept.clear()
  swept.set(placeOf(directory, hold), deathsOf(hold))
}

/** Sweeps the directory. Returns false if it does not exist or cannot be listed. */
export async function sweep(directory: OpenDirectory, hold: Hold, world: World): Promise<boolean> {
  try {
    await sweepAll(directory, hold, await world.fs.readdir(directory.self), world)
    return true
  } catch {
    return false
  }
}

/**
 * Sweeps before a file is removed, and throws if that fails. A killed remover may have left an older copy of the file, which a later sweep
 * would put back after the removal.
 */
export async function sweepBeforeRemoval(directory: OpenDirectory, hold: Hold, world: World): Promise<void> {
  if (isKnown(directory.path, hold, world.fs)) return
  const names = await world.fs.readdir(directory.self).catch((error: unknown) => {
    // A user who may not list the directory has never swept it.
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
  // A remnant of another machine or from long ago is deleted, because its file has been gone since and must not come back.
  else await (kind === 'now' ? putBack : clearAway)(directory, name, fs)
}

/** The tag in the names of temporary files. It is the same for all writers that exclude each other. */
export function tagOf(hold: Hold | undefined): string {
  return tagsOf(hold)[0] ?? unlockedTag
}

/** The tags of a hold: that of the directory and that of the lock, because the first writer starts before the directory has a tag. */
function tagsOf(hold: Hold | undefined): readonly string[] {
  const { lockDirectory, tag } = (hold ?? {}) as Partial<LiveHold>
  if (lockDirectory === undefined) return []
  const ofLock = tags.get(lockDirectory) ?? createHash('sha256').update(lockDirectory).digest('hex').slice(0, 10)
  if (tags.size >= rememberedDirectories) tags.clear()
  tags.set(lockDirectory, ofLock)
  return tag === undefined ? [ofLock] : [tag, ofLock]
}
