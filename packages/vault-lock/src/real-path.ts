/**
 * Where a path leads once every link is followed, for paths that need not exist: what is absent, or may not be looked
 * at, is taken as it is written. Node's own realpath fails there, and on macOS also changes the case; either would give
 * one vault two locks. `..` climbs from where the links before it have led; a circle of links ends the search, and the
 * rest is taken as text. On Windows, where `c:\\VAULT` and `C:\\Vault` are one place, what is there is spelled as on the disk,
 * as its peers do it.
 */
import { basename, dirname, join, normalize, parse, sep } from 'node:path'
import type { FileSystem } from './file-system.ts'

type Found = { readonly path: string; readonly circular: boolean }

export type PathSystem = Pick<FileSystem, 'lstat' | 'platform' | 'readlink' | 'realpath'>

/**
 * Where a path leads once every link is followed. Parts that do not exist are kept as they are written.
 *
 * @example
 * ```ts
 * import { nodeFileSystem, realPath } from '@agentm/vault-lock'
 *
 * console.log(await realPath('/nowhere/./a/../b', nodeFileSystem)) // /nowhere/b
 * ```
 */
export async function realPath(path: string, fs: PathSystem): Promise<string> {
  if (fs.platform === 'win32') return spelledOnDisk(path, fs)
  const { path: found } = await follow(parse(path).root, path, new Map(), fs)
  const text = normalize(found)
  return text.length > parse(text).root.length && text.endsWith(sep) ? text.slice(0, -1) : text
}

async function spelledOnDisk(path: string, fs: PathSystem): Promise<string> {
  try {
    return await fs.realpath(path)
  } catch {
    // Absent or not ours to look at, like below.
    return dirname(path) === path ? path : join(await spelledOnDisk(dirname(path), fs), basename(path))
  }
}

/** `links` maps each link met to where it leads, or to `undefined` while that is still being found out. */
async function follow(
  from: string,
  text: string,
  links: Map<string, string | undefined>,
  fs: Pick<FileSystem, 'lstat' | 'readlink'>,
): Promise<Found> {
  const { root } = parse(text)
  let path = root === '' ? from : root
  const names = text.slice(root.length).split(sep)
  for (const [i, name] of names.entries()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      path = join(path, '..')
      continue
    }
    const next = join(path, name)
    if (!(await isLink(next, fs))) {
      path = next
      continue
    }
    const rest = names.slice(i + 1).join(sep)
    const known = links.get(next)
    if (known !== undefined) path = known
    else if (links.has(next)) return { path: unresolved(next, rest), circular: true }
    else {
      links.set(next, undefined)
      const target = await follow(path, await fs.readlink(next), links, fs)
      if (target.circular) return { path: unresolved(target.path, rest), circular: true }
      links.set(next, target.path)
      path = target.path
    }
  }
  return { path, circular: false }
}

/** A doubled separator makes the rest absolute, as it does in the implementation that shares the lock. */
function unresolved(path: string, rest: string): string {
  return rest.startsWith(sep) ? rest : `${path}${sep}${rest}`
}

async function isLink(path: string, fs: Pick<FileSystem, 'lstat'>): Promise<boolean> {
  try {
    return (await fs.lstat(path)).isSymbolicLink()
  } catch {
    // Absent or not ours to look at: either way the name is taken as written, as every peer takes it.
    return false
  }
}
