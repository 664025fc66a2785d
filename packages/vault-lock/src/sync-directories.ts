/** A new file name is durable only after the directory that contains it was synced. */
import { dirname } from 'node:path'
import { isErrno } from './errno.ts'
import type { FileSystem, OpenFile } from './file-system.ts'

/** Syncs `directory` and the directories above it that were created for it, up to the parent of the first created one. */
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
    // Some network and user-space file systems do not support this call. No other call could replace it, so the error is ignored.
    if (!isErrno(error, 'EINVAL', 'ENOTSUP', 'ENOSYS')) throw error
  }
}
