/** Makes a directory and its parents, on the disk when the promise resolves. Those that are there keep their permissions. */
import type { FilePath } from './file-path.ts'
import type { FileSystem } from './file-system.ts'
import { syncDirectories } from './sync-directories.ts'

export async function makeDirectory(directory: FilePath, fs: FileSystem, mode?: number): Promise<void> {
  const made = await fs.mkdir(directory, mode === undefined ? { recursive: true } : { recursive: true, mode })
  if (made !== undefined) await syncDirectories(directory, made, fs)
}
