/** The text of one file, byte for byte: strict UTF-8, byte order mark and line ends kept. */
import { isUtf8 } from 'node:buffer'
import { CorruptTextError, type Locator, NotAFileError } from '@agentm/storage-seam'
import type { FilePath } from './file-path.ts'
import { isErrno } from './errno.ts'
import type { FileSystem } from './file-system.ts'

/** `undefined` when no file is there. */
export async function readText(file: FilePath, at: Locator, fs: FileSystem): Promise<string | undefined> {
  try {
    const bytes = await fs.readFile(file)
    if (!isUtf8(bytes)) throw new CorruptTextError(at)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    if (isErrno(error, 'EISDIR')) throw new NotAFileError(at, 'a directory', { cause: error })
    throw error
  }
}
