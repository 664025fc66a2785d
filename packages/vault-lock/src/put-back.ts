/**
 * Names that were moved into a directory of ours, to be deleted there, go back to where they came from: nobody acknowledged that they
 * are gone. Where something has come to a name since, that stays.
 */
import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isErrno } from './errno.ts'
import type { FileSystem } from './file-system.ts'
import { openDirectory, type OpenDirectory } from './open-directory.ts'

/** `own` is the name of that directory, in the one that names go back to. */
export async function putBack(directory: OpenDirectory, own: string, fs: FileSystem): Promise<void> {
  await emptied(directory, own, fs, async (moved, name) => putOneBack(moved, directory.at(name), fs))
}

/** What was to be deleted there is. */
export async function clearAway(directory: OpenDirectory, own: string, fs: FileSystem): Promise<void> {
  await emptied(directory, own, fs, async (moved) => fs.unlink(moved))
}

async function emptied(
  directory: OpenDirectory,
  own: string,
  fs: FileSystem,
  take: (moved: string, name: string) => Promise<void>,
): Promise<void> {
  // A link that has come to its name holds nothing of ours.
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

/** Whether the name has a file now: a second name never takes the place of anything. Some disks know no second names. */
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

/** The same while the process dies, when nobody can be waited for. */
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
