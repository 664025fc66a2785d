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
  await withDirectory(directory, fs, async (sync) => sync())
}

/** Opens the directory while `work` is under way, which calls `sync` once its names shall be on the disk. */
export async function withDirectory(
  directory: string,
  fs: FileSystem,
  work: (sync: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (fs.platform === 'win32') return work(async () => {})
  const opening = fs.open(directory, 'r')
  const [done, opened] = await Promise.allSettled([work(async () => syncOpen(await opening)), opening])
  if (opened.status === 'fulfilled') await opened.value.close()
  if (done.status === 'rejected') throw done.reason
}

async function syncOpen(directory: OpenFile): Promise<void> {
  try {
    await directory.sync()
  } catch (error) {
    // Some network and user-space file systems have no such call; there is nothing more that could be done there.
    if (!isErrno(error, 'EINVAL', 'ENOTSUP', 'ENOSYS')) throw error
  }
}
