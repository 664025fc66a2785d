/** The file system of this machine, through `node:fs`. */
import type { Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import type { FileFacts, TranscriptFiles } from './transcript-files.ts'

/** The file system of this machine. */
export const nodeFiles: TranscriptFiles = {
  list: (directory) => readdir(directory),
  facts: async (path) => factsOf(await stat(path)),
  open: async (path) => {
    const handle = await open(path, 'r')
    return {
      facts: async () => factsOf(await handle.stat()),
      read: async (offset, length) => {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset)
        return buffer.subarray(0, bytesRead)
      },
      close: () => handle.close(),
    }
  },
}

function factsOf(stats: Stats): FileFacts {
  return { isDirectory: stats.isDirectory(), bytes: stats.size, changedAt: Math.floor(stats.mtimeMs) }
}
