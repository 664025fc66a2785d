/**
 * Gives a finished file its name in one step, unless the name is already taken. A rename would replace a file that has just taken the name.
 */
import { isErrno } from './errno.ts'
import type { FilePath } from './file-path.ts'
import type { FileSystem } from './file-system.ts'

/** The errors of disks without hard links, and of systems that forbid users to make them. */
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

/** Without hard links the file is renamed, and the caller checks first that the name is free. */
export async function giveName(temporary: FilePath, target: FilePath, fs: FileSystem): Promise<void> {
  try {
    await fs.link(temporary, target)
  } catch (error) {
    if (!isErrno(error, ...noSecondNames)) throw error
    return fs.rename(temporary, target)
  }
  // If the temporary name cannot be removed now, the next writer in this directory removes it.
  await fs
    .unlink(temporary)
    .catch(() => fs.unlink(temporary))
    .catch(() => {})
}
