/**
 * The text of one file and the file it was read from. The text is kept byte for byte (strict UTF-8, with byte order mark and line ends).
 * The file stays open, because then no other file can get its inode number. So one check of the name and one of the bytes show whether the
 * file is still the one that was read. Times and sizes alone do not show it: an editor that saves within one tick of the clock may change
 * neither.
 */
import { isUtf8 } from 'node:buffer'
import type { BigIntStats } from 'node:fs'
import { CorruptTextError, type Locator, NotAFileError } from '@agentm/storage-seam'
import { both } from './both.ts'
import type { FilePath } from './file-path.ts'
import { isErrno } from './errno.ts'
import type { OpenedFile } from './confined-root.ts'
import type { FileSystem, OpenFile } from './file-system.ts'

const moreBytes = 4_096

export class SeenText {
  readonly text: string
  readonly #fs: FileSystem
  readonly #bytes: Buffer
  readonly #stats: BigIntStats
  #open: OpenFile | undefined
  #closed = Promise.resolve()

  private constructor({ bytes, stats }: Content, open: OpenFile, fs: FileSystem) {
    this.text = bytes.toString('utf8')
    this.#fs = fs
    this.#bytes = bytes
    this.#stats = stats
    this.#open = open
  }

  /** Closes the file only if it cannot be read. */
  static async read({ file }: OpenedFile, at: Locator, fs: FileSystem): Promise<SeenText> {
    try {
      return new SeenText(await readAll(file, at), file, fs)
    } catch (error) {
      await file.close().catch(() => {})
      throw error
    }
  }

  /** Whether this name certainly still has this file with these bytes. May be called once; then the file is closed. */
  async isAt(name: FilePath): Promise<boolean> {
    const open = this.#open
    if (open === undefined) return false
    const again = Buffer.allocUnsafe(this.#bytes.length)
    try {
      const [there] = await both(this.#fs.lstat(name), again.length === 0 ? undefined : open.read(again, 0))
      const { dev, ino } = this.#stats
      return there.dev === dev && there.ino === ino && Number(there.size) === again.length && again.equals(this.#bytes)
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return false
      throw error
    } finally {
      const closed = this.close()
      // Windows does not replace a file that a program has open.
      if (this.#fs.platform === 'win32') await closed
    }
  }

  async close(): Promise<void> {
    // Closing a file that was only read reports no useful error.
    if (this.#open !== undefined) this.#closed = this.#open.close().catch(() => {})
    this.#open = undefined
    return this.#closed
  }
}

interface Content {
  readonly bytes: Buffer
  readonly stats: BigIntStats
}

async function readAll(open: OpenFile, at: Locator): Promise<Content> {
  const stats = await open.stat()
  if (!stats.isFile()) throw new NotAFileError(at, stats.isDirectory() ? 'a directory' : 'no plain file')
  const bytes = await bytesOf(open, Number(stats.size))
  if (!isUtf8(bytes)) throw new CorruptTextError(at)
  return { bytes, stats }
}

/** Usually one call is enough. Some file systems return a file in pieces, and some do not know its size. */
async function bytesOf(open: OpenFile, size: number): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  while (bytes.length !== size) {
    const more = Buffer.allocUnsafe(Math.max(size - bytes.length, moreBytes))
    const read = await open.read(more, bytes.length)
    if (read === 0) break
    bytes = bytes.length === 0 ? more.subarray(0, read) : Buffer.concat([bytes, more.subarray(0, read)])
  }
  return bytes
}
