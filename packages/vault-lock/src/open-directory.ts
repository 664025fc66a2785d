/**
 * An open directory, and the names in it. A path is checked in one step and used in another, and a link in it may be replaced in between.
 * An open directory stays the same one. On Linux a file can be named relative to an open directory through /proc. On other systems the name
 * becomes a path, which is resolved as late as possible.
 */
import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from './errno.ts'
import type { FilePath } from './file-path.ts'
import type { FileSystem, OpenFile } from './file-system.ts'
import { syncOpen } from './sync-directories.ts'

export interface OpenDirectory {
  /** Its real path. For messages and comparisons; file operations use `at`. */
  readonly path: FilePath
  /** A path of the directory itself, for system calls. */
  readonly self: FilePath
  /** A path of an entry in it, for system calls. */
  readonly at: (name: string) => FilePath
  /** Resolves when the names in it are durable on the disk. */
  readonly sync: () => Promise<void>
  /** May be called during a sync. The sync still finishes. */
  readonly close: () => Promise<void>
}

/** The file a path led to, and its real path. */
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

/** Where a path leads and the file status there. Throws `ENOENT` if nothing exists there. */
export async function locate(path: string, fs: FileSystem): Promise<Located> {
  if (fs.locate !== undefined) return fs.locate(path)
  const real = (await fs.realpath(path)) as FilePath
  const stats = await fs.lstat(real)
  if (stats.isSymbolicLink()) throw failure('ENOENT', path)
  return { path: real, stats }
}

/** The real path of a file that was opened by this path; `undefined` if the path now leads to another file. */
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
  // Windows cannot open directories, and so cannot sync them.
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

/**
 * If `close` is called during a sync, the directory is closed after the sync, because otherwise its descriptor number could be given to
 * another file.
 */
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

/** The same directory, with its entries named by their paths, so that an error message shows where it happened. */
export function byPath(directory: OpenDirectory): OpenDirectory {
  return { ...directory, self: directory.path, at: (name) => join(directory.path, name) as FilePath }
}

function failure(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: '${path}'`), { code })
}
