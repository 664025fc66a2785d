/** A new name is on the disk only once the directory that holds it is. */
import { dirname } from 'node:path'
import { isErrno } from './errno.ts'
import type { FileSystem, OpenFile } from './file-system.ts'

/** `directory` and those above it that were made for it, down from the one that names the first. */
export async function syncDirectories(directory: string, made: string | undefined, fs: FileSystem): Promise<void> {
  for (let at = directory; ; at = dirname(at)) {
    await syncDirectory(at, fs)
    if (made === undefined || at.length < made.length || at === dirname(at)) return
  }
}

export async function syncDirectory(directory: string, fs: FileSystem): Promise<void> {
  if (fs.platform === 'win32') return
  const open = await fs.open(directory, 'r')
  try {
    await syncOpen(open)
  } finally {
    await open.close()
  }
}

export async function syncOpen(directory: Pick<OpenFile, 'sync'>): Promise<void> {
  try {
    await directory.sync()
  } catch (error) {
    // Some network and user-space file systems have no such call; there is nothing more that could be done there.
    if (!isErrno(error, 'EINVAL', 'ENOTSUP', 'ENOSYS')) throw error
  }
}
