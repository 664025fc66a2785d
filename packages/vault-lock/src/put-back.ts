/**
 * Moves files back that were moved into a directory of ours for deletion, because nobody was told yet that they are deleted. If a name has
 * a new file by now, the new file stays.
 */
import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isErrno } from './errno.ts'
import type { FileSystem } from './file-system.ts'
import { openDirectory, type OpenDirectory } from './open-directory.ts'

/** `own` is the name of the directory that holds the moved files, inside the directory they came from. */
export async function putBack(directory: OpenDirectory, own: string, fs: FileSystem): Promise<void> {
  await emptied(directory, own, fs, async (moved, name) => putOneBack(moved, directory.at(name), fs))
}

/** Deletes the moved files. */
export async function clearAway(directory: OpenDirectory, own: string, fs: FileSystem): Promise<void> {
  await emptied(directory, own, fs, async (moved) => fs.unlink(moved))
}

async function emptied(
  directory: OpenDirectory,
  own: string,
  fs: FileSystem,
  take: (moved: string, name: string) => Promise<void>,
): Promise<void> {
  // If a symbolic link has taken the name, it contains none of our files.
  const away = await openDirectory(directory.at(own), fs, { followLink: false })
  try {
    for (const name of await fs.readdir(away.self)) await take(away.at(name), name)
  } finally {
    await away.close()
  }
  await fs.rmdir(directory.at(own))
}

async function putOneBack(moved: string, target: string, fs: FileSystem): Promise<void> {
  const mayBeLinked = (await fs.lstat(moved)).isFile()
  const isBack = mayBeLinked && (await isLinked(moved, target, fs))
  if (isBack || (await isThere(target, fs))) await fs.unlink(moved)
  else await fs.rename(moved, target)
}

/**
 * Whether the name has a file now. The file gets its name by a hard link, which never replaces another file. Some disks do not support hard
 * links.
 */
async function isLinked(moved: string, target: string, fs: FileSystem): Promise<boolean> {
  return fs.link(moved, target).then(
    () => true,
    (error: unknown) => isErrno(error, 'EEXIST'),
  )
}

async function isThere(target: string, fs: FileSystem): Promise<boolean> {
  return fs.lstat(target).then(
    () => true,
    (error: unknown) => {
      if (isErrno(error, 'ENOENT')) return false
      throw error
    },
  )
}

/** The same, synchronously, because the process is ending and cannot wait. */
export function putBackNow(own: string): void {
  for (const name of readdirSync(own)) {
    const [moved, target] = [join(own, name), join(dirname(own), name)]
    if (isLinkedNow(moved, target) || lstatSync(target, { throwIfNoEntry: false }) !== undefined) unlinkSync(moved)
    else renameSync(moved, target)
  }
  rmdirSync(own)
}

function isLinkedNow(moved: string, target: string): boolean {
  if (!lstatSync(moved).isFile()) return false
  try {
    linkSync(moved, target)
    return true
  } catch (error) {
    return isErrno(error, 'EEXIST')
  }
}
