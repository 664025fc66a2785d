/**
 * The system calls that locking and writing use, as an argument, so that a test can make one of them fail or change files in between. All
 * access to a store's files goes through it.
 */
import {
  type BigIntStats,
  close,
  closeSync,
  constants,
  fchmod,
  fstatSync,
  fsync,
  futimes,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  open,
  openSync,
  read,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  utimesSync,
  write,
  writeSync,
} from 'node:fs'
import {
  access,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rmdir,
  stat,
  unlink,
  utimes,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { descriptorHome, nameOnly, pathOf } from './descriptor-paths.ts'
import { isErrno } from './errno.ts'
import type { FilePath } from './file-path.ts'
import { lstatAll } from './lstat-all.ts'
import { type Located, type OpenDirectory, type OpenOptions, openWhileSynced } from './open-directory.ts'
import { QuickDisk } from './quick-disk.ts'
import { syncOpen } from './sync-directories.ts'

/** An open file or directory. */
export interface OpenFile {
  /** Reads from `position` on into `bytes`, and returns the number of bytes read; 0 at the end of the file. */
  readonly read: (bytes: Uint8Array, position: number) => Promise<number>
  readonly writeFile: (bytes: Uint8Array) => Promise<void>
  readonly sync: () => Promise<void>
  readonly chmod: (mode: number) => Promise<void>
  readonly stat: () => Promise<BigIntStats>
  /** The real path of the open file. Absent if the system cannot tell it. */
  readonly where?: () => Promise<string>
  /** Seconds since the epoch. */
  readonly utimes: (accessed: number, modified: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** The calls to the operating system that locking and writing need. Tests pass their own to make one of them fail. */
export interface FileSystem {
  /** The platform whose rules apply: Windows has no descriptors of directories and does not rename over an open file. */
  readonly platform: NodeJS.Platform
  /** True for a simulated disk: no clean-up runs on it when this process ends. */
  readonly isSimulated?: true
  readonly open: (path: string, flags: string | number, mode?: number) => Promise<OpenFile>
  /**
   * Absent if the system cannot name files relative to an open directory. Then paths are resolved instead, and a link in them may be
   * replaced afterwards.
   */
  readonly openDirectory?: (path: string, options?: OpenOptions) => Promise<OpenDirectory>
  /** Absent if the system cannot tell the path of an open file. */
  readonly locate?: (path: string) => Promise<Located>
  readonly rename: (from: string, to: string) => Promise<void>
  /** Makes a hard link. Fails if the new name is taken, or if the disk does not support hard links. */
  readonly link: (from: string, to: string) => Promise<void>
  readonly unlink: (path: string) => Promise<void>
  /** Returns the first directory that was created, if `recursive` created any. */
  readonly mkdir: (
    path: string,
    options?: { readonly recursive?: boolean; readonly mode?: number },
  ) => Promise<string | undefined>
  readonly rmdir: (path: string) => Promise<void>
  readonly stat: (path: string) => Promise<BigIntStats>
  readonly lstat: (path: string) => Promise<BigIntStats>
  /** The file status of many names, in order; `undefined` for a name that does not exist. */
  readonly lstatAll: (paths: readonly string[]) => Promise<readonly (BigIntStats | undefined)[]>
  readonly readlink: (path: string) => Promise<string>
  readonly realpath: (path: string) => Promise<string>
  readonly readdir: (path: string) => Promise<string[]>
  /** The names as bytes, including those that are not valid UTF-8. */
  readonly readdirBytes: (path: string) => Promise<Buffer[]>
  readonly readFile: (path: string) => Promise<Uint8Array>
  /** Seconds since the epoch. */
  readonly utimes: (path: string, accessed: number, modified: number) => Promise<void>
  /** Whether this user may create and remove files in this directory. */
  readonly mayWrite: (directory: string) => Promise<boolean>
  /** Whether this machine alone writes the disk that holds this directory. */
  readonly isOurs: (directory: string) => Promise<boolean>
}

const descriptorOf = promisify(open)
const from = promisify(read)
const into = promisify(write)
const toDisk = promisify(fsync)
const permit = promisify(fchmod)
const touch = promisify(futimes)
const release = promisify(close)
const disk = new QuickDisk()
/** Reads and writes of more bytes than this may take long on any disk. */
const littleBytes = 1 << 18
const writing = constants.O_WRONLY | constants.O_RDWR
const own = descriptorHome()

/** The real file system, by `node:fs`. */
export const nodeFileSystem: FileSystem = {
  platform: process.platform,
  ...(own === undefined ? {} : byDescriptor(own)),
  async open(path, flags, mode) {
    const reads = flags === 'r' || (typeof flags === 'number' && (flags & writing) === 0)
    const byThread = async () => descriptorOf(path, flags, mode)
    const directly = () => openSync(path, flags, mode)
    const isDirectory = typeof flags === 'number' && (flags & constants.O_DIRECTORY) !== 0
    const descriptor = isDirectory
      ? await disk.together(path, directly, byThread)
      : await disk.answer(path, directly, byThread)
    return {
      read: async (bytes, position) => {
        const later = async () => (await from(descriptor, bytes, 0, bytes.length, position)).bytesRead
        if (!reads || bytes.length > littleBytes) return later()
        return disk.answer(path, () => readSync(descriptor, bytes, 0, bytes.length, position), later)
      },
      async writeFile(bytes) {
        const later = async () => {
          for (let done = 0; done < bytes.length;) done += (await into(descriptor, bytes, done)).bytesWritten
        }
        if (bytes.length > littleBytes) return later()
        // A write goes to memory. Only `sync` waits for the disk.
        const atOnce = () => {
          for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done)
        }
        return disk.answer(path, atOnce, later)
      },
      sync: async () => putOnDisk(descriptor),
      chmod: async (bits) => permit(descriptor, bits),
      // These two calls never wait, so handing them to a thread would cost more than the calls.
      stat: async () => fstatSync(descriptor, { bigint: true }),
      ...(own === undefined ? {} : { where: async () => pathOf(descriptor, own) }),
      close: async () =>
        reads
          ? closeSync(descriptor)
          : disk.answer(
              path,
              () => closeSync(descriptor),
              async () => release(descriptor),
            ),
      utimes: async (accessed, modified) =>
        disk.together(
          path,
          () => futimesSync(descriptor, accessed, modified),
          () => touch(descriptor, accessed, modified),
        ),
    }
  },
  rename: async (old, name) =>
    disk.answer(
      name,
      () => renameSync(old, name),
      () => rename(old, name),
    ),
  link: async (file, name) =>
    disk.answer(
      name,
      () => linkSync(file, name),
      () => link(file, name),
    ),
  unlink: async (path) =>
    disk.answer(
      path,
      () => unlinkSync(path),
      () => unlink(path),
    ),
  mkdir: async (path, options) =>
    options?.recursive === true
      ? makeOrSayWhy(path, options)
      : disk.together(
          path,
          () => mkdirSync(path, options),
          () => mkdir(path, options),
        ),
  rmdir: async (path) =>
    disk.answer(
      path,
      () => rmdirSync(path),
      () => rmdir(path),
    ),
  stat: async (path) =>
    disk.answer(
      path,
      () => statSync(path, { bigint: true }),
      () => stat(path, { bigint: true }),
    ),
  lstat: async (path) =>
    disk.answer(
      path,
      () => lstatSync(path, { bigint: true }),
      () => lstat(path, { bigint: true }),
    ),
  lstatAll: (paths) => lstatAll(paths),
  readlink: (path) => readlink(path),
  realpath: async (path) => (process.platform === 'win32' ? realpathOnWindows(path) : realpathOf(path)),
  readdir: (path) => readdir(path),
  readdirBytes: (path) => readdir(path, { encoding: 'buffer' }),
  readFile: (path) => readFile(path),
  utimes: async (path, accessed, modified) =>
    disk.together(
      path,
      () => utimesSync(path, accessed, modified),
      () => utimes(path, accessed, modified),
    ),
  mayWrite: (directory) =>
    access(directory, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    ),
  isOurs: async (directory) => disk.isOurs(directory),
}

/** Reads of /proc never wait, so they are synchronous. */
function byDescriptor(home: string): Pick<FileSystem, 'openDirectory' | 'locate'> {
  return {
    async openDirectory(path, { followLink = true } = {}) {
      const flags = constants.O_RDONLY | constants.O_DIRECTORY | (followLink ? 0 : constants.O_NOFOLLOW)
      return directoryOf(await openQuickly(path, flags), home)
    },
    async locate(path) {
      const descriptor = await openQuickly(path, nameOnly)
      try {
        const stats = fstatSync(descriptor, { bigint: true })
        return { path: pathOf(descriptor, home) as FilePath, stats }
      } finally {
        closeSync(descriptor)
      }
    },
  }
}

async function putOnDisk(descriptor: number): Promise<void> {
  await toDisk(descriptor)
  disk.rested()
}

async function openQuickly(path: string, flags: number): Promise<number> {
  return disk.answer(
    path,
    () => openSync(path, flags),
    () => descriptorOf(path, flags),
  )
}

function directoryOf(descriptor: number, home: string): OpenDirectory {
  const self = `${home}/${descriptor}` as FilePath
  try {
    const path = pathOf(descriptor, home) as FilePath
    disk.alias(self, path)
    return {
      path,
      self,
      at: (name) => `${self}/${name}` as FilePath,
      ...openWhileSynced(
        async () => syncOpen({ sync: async () => putOnDisk(descriptor) }),
        async () => {
          disk.forget(self)
          closeSync(descriptor)
        },
      ),
    }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

async function realpathOf(path: string): Promise<string> {
  return disk.answer(
    path,
    () => realpathSync.native(path),
    () => realpath(path),
  )
}

/** Windows cannot resolve files on some RAM disks, nor long paths under Wine, but it can resolve the directory above. */
async function realpathOnWindows(path: string): Promise<string> {
  try {
    return await realpathOf(path)
  } catch (error) {
    if (!isErrno(error, 'UNKNOWN', 'EISDIR') || dirname(path) === path) throw error
    if ((await lstat(path)).isSymbolicLink()) throw error
    return join(await realpathOnWindows(dirname(path)), basename(path))
  }
}

/** On a read-only disk a recursive call fails with ENOENT, so the first absent directory is created by itself to get the real error. */
async function makeOrSayWhy(
  path: string,
  options: { readonly recursive?: boolean; readonly mode?: number } = {},
): Promise<string | undefined> {
  try {
    return await mkdir(path, options)
  } catch (error) {
    if (options.recursive !== true || !isErrno(error, 'ENOENT')) throw error
    const why: unknown = await mkdir(await firstAbsent(path)).catch((fault: unknown) => fault)
    throw why ?? error
  }
}

async function firstAbsent(path: string): Promise<string> {
  const above = dirname(path)
  if (above === path) return path
  const isThere = await stat(above).then(
    () => true,
    () => false,
  )
  return isThere ? path : firstAbsent(above)
}
