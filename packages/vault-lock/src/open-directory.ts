/**
 * An open directory, and names in it. A path is looked at in one step and used in another, and what it leads to may be swapped
 * in between; an open directory stays what it is. Linux lets a name be given relative to one, by way of /proc; elsewhere the
 * name is a path again, resolved as late as possible.
 */
import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from './errno.ts'
import type { FilePath } from './file-path.ts'
import type { FileSystem, OpenFile } from './file-system.ts'
import { syncOpen } from './sync-directories.ts'

export interface OpenDirectory {
  /** Where it lies, links followed. For messages and comparisons; file operations use `at`. */
  readonly path: FilePath
  /** The directory itself, for a call of the system. */
  readonly self: FilePath
  /** Something in it, for a call of the system. */
  readonly at: (name: string) => FilePath
  /** The names in it are on the disk when this resolves. */
  readonly sync: () => Promise<void>
  /** Also while it is being synced: that still ends. */
  readonly close: () => Promise<void>
}

/** What a path led to, and where that lies. */
export interface Located {
  readonly path: FilePath
  readonly stats: BigIntStats
}

export interface OpenOptions {
  /** False: a link is refused with `ENOTDIR` or `ELOOP` (default: true). */
  readonly followLink?: boolean
}

export async function openDirectory(path: string, fs: FileSystem, options: OpenOptions = {}): Promise<OpenDirectory> {
  return fs.openDirectory === undefined ? openByName(path, fs, options) : fs.openDirectory(path, options)
}

/** Where a path leads and what is there; throws `ENOENT` where nothing is. */
export async function locate(path: string, fs: FileSystem): Promise<Located> {
  if (fs.locate !== undefined) return fs.locate(path)
  const real = (await fs.realpath(path)) as FilePath
  const stats = await fs.lstat(real)
  if (stats.isSymbolicLink()) throw failure('ENOENT', path)
  return { path: real, stats }
}

/** Where a file lies that was opened by this path; `undefined` where the path leads to another one by now. */
export async function whereIs(file: OpenFile, path: string, fs: FileSystem): Promise<FilePath | undefined> {
  if (file.where !== undefined) return (await file.where()) as FilePath
  try {
    const [real, stats] = [await fs.realpath(path), await file.stat()]
    const there = await fs.lstat(real)
    return there.dev === stats.dev && there.ino === stats.ino ? (real as FilePath) : undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
    throw error
  }
}

async function openByName(path: string, fs: FileSystem, { followLink = true }: OpenOptions): Promise<OpenDirectory> {
  if (!followLink && (await fs.lstat(path)).isSymbolicLink()) throw failure('ELOOP', path)
  const real = (await fs.realpath(path)) as FilePath
  if (!(await fs.lstat(real)).isDirectory()) throw failure('ENOTDIR', path)
  // Windows opens no directories, and has nothing to sync them by.
  const file = fs.platform === 'win32' ? undefined : await fs.open(real, 'r')
  return namedDirectory(real, file)
}

function namedDirectory(path: FilePath, file: OpenFile | undefined): OpenDirectory {
  return {
    path,
    self: path,
    at: (name) => join(path, name) as FilePath,
    ...openWhileSynced(
      async () => (file === undefined ? undefined : syncOpen(file)),
      async () => file?.close(),
    ),
  }
}

/** Who closes it while it is being synced closes it after that: its number would go to another file. */
export function openWhileSynced(
  sync: () => Promise<void>,
  close: () => Promise<void>,
): Pick<OpenDirectory, 'sync' | 'close'> {
  let syncing: Promise<void> | undefined
  return {
    async sync() {
      syncing = sync().finally(() => (syncing = undefined))
      return syncing
    },
    async close() {
      if (syncing === undefined) return close()
      const closed = syncing.then(close, close)
      closed.catch(() => {})
    },
  }
}

/** The same directory, what lies in it named by its path: whoever sees a failure then sees where it happened. */
export function byPath(directory: OpenDirectory): OpenDirectory {
  return { ...directory, self: directory.path, at: (name) => join(directory.path, name) as FilePath }
}

function failure(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: '${path}'`), { code })
}
