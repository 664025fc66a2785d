/**
 * The directory that is the lock of a root: `<lock root>/<SHA-256 of the resolved root>/lock`. All spellings of a root give the same lock.
 * It is outside the root, so no sync program replicates it. Creates nothing.
 */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { filePath, type FilePath } from './file-path.ts'
import { nodeFileSystem } from './file-system.ts'
import { type PathSystem, realPath } from './real-path.ts'

/**
 * The directory that is the lock of a root. All spellings of a root give the same lock. It lies outside the root.
 * Creates nothing.
 *
 * @example
 * ```ts
 * import { filePath, lockDirectory } from '@agentm/vault-lock'
 *
 * const lock = await lockDirectory(filePath('/srv/vault'), filePath('/var/cache/locks'))
 * console.log(lock.startsWith('/var/cache/locks/'), lock.endsWith('/lock')) // true true
 * ```
 */
export async function lockDirectory(
  root: FilePath,
  lockRoot: FilePath = defaultLockRoot(),
  fs: PathSystem = nodeFileSystem,
): Promise<FilePath> {
  return lockIn(lockRoot, await realPath(root, fs))
}

export function lockIn(lockRoot: FilePath, resolved: string): FilePath {
  return filePath(join(lockRoot, createHash('sha256').update(resolved).digest('hex'), 'lock'))
}

/** `$XDG_CACHE_HOME`, or `~/.cache` if that is not set, followed by `agentm/locks`. The environment is read at each call. */
export function defaultLockRoot(): FilePath {
  const cache = process.env['XDG_CACHE_HOME']
  // Other implementations read an empty HOME as the root directory, but Node reads it as the current directory.
  const base = cache === undefined || cache === '' ? join(homedir() || '/', '.cache') : cache
  if (base !== last?.base || !isAbsolute(base)) last = { base, lockRoot: filePath(resolve(base, 'agentm', 'locks')) }
  return last.lockRoot
}

let last: { readonly base: string; readonly lockRoot: FilePath } | undefined
