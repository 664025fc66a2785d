/** Makes a directory and its parents, on the disk when the promise resolves. */
import type { FilePath } from './file-path.ts'
import type { FileSystem } from './file-system.ts'
import { syncDirectories } from './sync-directories.ts'

export async function makeDirectory(directory: FilePath, fs: FileSystem): Promise<void> {
  const made = await fs.mkdir(directory, { recursive: true })
  if (made !== undefined) await syncDirectories(directory, made, fs)
}
