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
  writeFile(bytes: Uint8Array): Promise<void>
  sync(): Promise<void>
  chmod(mode: number): Promise<void>
  stat(): Promise<BigIntStats>
  /** Seconds since the epoch. */
  utimes(accessed: number, modified: number): Promise<void>
  close(): Promise<void>
}

export interface FileSystem {
  /** Whose rules hold: Windows has no descriptors of directories and refuses to rename over an open file. */
  readonly platform: NodeJS.Platform
  open(path: string, flags: string | number, mode?: number): Promise<OpenFile>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  /** The first directory made, where `recursive` made any. */
  mkdir(path: string, options?: { readonly recursive?: boolean; readonly mode?: number }): Promise<string | undefined>
  rmdir(path: string): Promise<void>
  stat(path: string): Promise<BigIntStats>
  lstat(path: string): Promise<BigIntStats>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
  readdir(path: string): Promise<string[]>
  /** The names as they are on disk, also those that are not UTF-8. */
  readdirBytes(path: string): Promise<Buffer[]>
  readFile(path: string): Promise<Uint8Array>
  /** Seconds since the epoch. */
  utimes(path: string, accessed: number, modified: number): Promise<void>
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
