/** Gives a whole file its name in one step, where nothing has that name: a rename would replace what has just got it. */
import { isErrno } from './errno.ts'
import type { FilePath } from './file-path.ts'
import type { FileSystem } from './file-system.ts'

/** What disks say on which a file has one name only, and systems that keep people from giving a second one. */
export const noSecondNames = [
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EINVAL',
  'EISDIR',
] as const

/** Where files have one name only it is renamed, and whoever asks looks before. */
export async function giveName(temporary: FilePath, target: FilePath, fs: FileSystem): Promise<void> {
  try {
    await fs.link(temporary, target)
  } catch (error) {
    if (!isErrno(error, ...noSecondNames)) throw error
    return fs.rename(temporary, target)
  }
  // What stays of the first name is swept by whoever writes here next.
  await fs
    .unlink(temporary)
    .catch(() => fs.unlink(temporary))
    .catch(() => {})
}
