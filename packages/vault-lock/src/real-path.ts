/**
 * The real path of a file that need not exist: all links are followed, and parts that do not exist or cannot be read are kept as written.
 * Node's own realpath throws for such a path and changes the case on macOS; either would give one vault two locks. `..` goes up from the
 * target of the links before it. If links form a circle, the rest of the path is kept as written. On Windows, where `c:\\VAULT` and
 * `C:\\Vault` are the same place, existing parts get the spelling on disk, as in the other implementations.
 */
import { basename, dirname, join, normalize, parse, sep } from 'node:path'
import type { FileSystem } from './file-system.ts'

type Found = { readonly path: string; readonly circular: boolean }

export type PathSystem = Pick<FileSystem, 'lstat' | 'platform' | 'readlink' | 'realpath'>

/**
 * The real path, with every link followed. Parts that do not exist are kept as written.
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
    // Absent, or this user may not read it, like below.
    return dirname(path) === path ? path : join(await spelledOnDisk(dirname(path), fs), basename(path))
  }
}

/** `links` maps each link on the way to its target, or to `undefined` while the target is being resolved. */
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

/** After a doubled separator the rest counts as an absolute path, as in the Python implementation, which shares the lock. */
function unresolved(path: string, rest: string): string {
  return rest.startsWith(sep) ? rest : `${path}${sep}${rest}`
}

async function isLink(path: string, fs: Pick<FileSystem, 'lstat'>): Promise<boolean> {
  try {
    return (await fs.lstat(path)).isSymbolicLink()
  } catch {
    // Absent, or this user may not read it: in both cases the name is kept as written, as in the other implementations.
    return false
  }
}
