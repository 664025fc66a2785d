/**
 * The way from the root of a store to an open directory in it, at one moment. If the way is the same before and after some names were looked
 * up by path, then the path led to that directory all the time: whoever puts a link on the way, and takes it away again, changes the time of
 * the directory that the link was in. The system finds a name by its path in two thirds of the time that it takes through the open directory.
 */
import { dirname } from 'node:path'
import type { BigIntStats } from 'node:fs'
import type { FilePath } from './file-path.ts'
import type { FileSystem } from './file-system.ts'
import { isWithin } from './is-within.ts'
import type { OpenDirectory } from './open-directory.ts'

/** Two changes within one tick of the system's clock leave the same time, so a directory counts only once it was left alone for longer. */
const restsAfterMs = 100

/**
 * `undefined` if the path cannot be relied on: the directory is outside the root, was moved, is on a disk that other machines write, or was
 * reached through a directory that changed a moment ago.
 */
export async function wayToDirectory(
  { path, self }: OpenDirectory,
  root: FilePath | undefined,
  fs: FileSystem,
): Promise<string | undefined> {
  if (path === self || root === undefined || !isWithin(root, path) || !(await fs.isOurs(path))) return undefined
  const [open, ...there] = await Promise.all([
    fs.stat(self),
    ...namesOnTheWay(root, path).map((each) => statusOf(each, fs)),
  ])
  const [last, ...passed] = there
  if (last === undefined || last.ino !== open.ino || last.dev !== open.dev) return undefined
  const latest = BigInt(Date.now() - restsAfterMs) * 1_000_000n
  if (!passed.every((each) => each?.isDirectory() === true && each.ctimeNs < latest)) return undefined
  return passed.map((each) => `${each?.dev}-${each?.ino}-${each?.ctimeNs}`).join('/')
}

/** The directory itself, then those that it is in, up to the root. */
function namesOnTheWay(root: FilePath, path: FilePath): readonly string[] {
  return path === root ? [path] : [path, ...namesOnTheWay(root, dirname(path) as FilePath)]
}

async function statusOf(path: string, fs: FileSystem): Promise<BigIntStats | undefined> {
  return fs.lstat(path).catch(() => undefined)
}
