/**
 * The calls to the operating system that locking and writing are made of, as an argument: a test can say which of them
 * fails, or what happens in between. Everything that touches a store's files goes through it.
 */
import type { BigIntStats } from 'node:fs'
import {
  lstat,
  mkdir,
  open,
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

/** An open file or directory. */
export interface OpenFile {
  readonly writeFile: (bytes: Uint8Array) => Promise<void>
  readonly sync: () => Promise<void>
  readonly chmod: (mode: number) => Promise<void>
  readonly stat: () => Promise<BigIntStats>
  /** Seconds since the epoch. */
  readonly utimes: (accessed: number, modified: number) => Promise<void>
  readonly close: () => Promise<void>
}

export interface FileSystem {
  /** Whose rules hold: Windows has no descriptors of directories and refuses to rename over an open file. */
  readonly platform: NodeJS.Platform
  readonly open: (path: string, flags: string | number, mode?: number) => Promise<OpenFile>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly unlink: (path: string) => Promise<void>
  /** The first directory made, where `recursive` made any. */
  readonly mkdir: (
    path: string,
    options?: { readonly recursive?: boolean; readonly mode?: number },
  ) => Promise<string | undefined>
  readonly rmdir: (path: string) => Promise<void>
  readonly stat: (path: string) => Promise<BigIntStats>
  readonly lstat: (path: string) => Promise<BigIntStats>
  readonly readlink: (path: string) => Promise<string>
  readonly realpath: (path: string) => Promise<string>
  readonly readdir: (path: string) => Promise<string[]>
  /** The names as they are on disk, also those that are not UTF-8. */
  readonly readdirBytes: (path: string) => Promise<Buffer[]>
  readonly readFile: (path: string) => Promise<Uint8Array>
  /** Seconds since the epoch. */
  readonly utimes: (path: string, accessed: number, modified: number) => Promise<void>
}

export const nodeFileSystem: FileSystem = {
  platform: process.platform,
  async open(path, flags, mode) {
    const handle = await open(path, flags, mode)
    return {
      async writeFile(bytes) {
        for (let done = 0; done < bytes.length;) done += (await handle.write(bytes, done)).bytesWritten
      },
      sync: () => handle.sync(),
      chmod: (bits) => handle.chmod(bits),
      stat: () => handle.stat({ bigint: true }),
      utimes: (accessed, modified) => handle.utimes(accessed, modified),
      close: () => handle.close(),
    }
  },
  rename,
  unlink,
  mkdir: async (path, options = {}) => mkdir(path, options),
  rmdir,
  stat: (path) => stat(path, { bigint: true }),
  lstat: (path) => lstat(path, { bigint: true }),
  readlink: (path) => readlink(path),
  realpath: (path) => realpath(path),
  readdir: (path) => readdir(path),
  readdirBytes: (path) => readdir(path, { encoding: 'buffer' }),
  readFile: (path) => readFile(path),
  utimes,
}
