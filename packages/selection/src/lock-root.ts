/** The directory of this machine's locks. Every program that writes the same files must use the same one. */
import { resolve } from 'node:path'
import type { FilePath } from '@agentm/vault-lock'
import type { SelectionWorld } from './selection-world.ts'

/**
 * The directory that holds the locks of this machine.
 *
 * @example
 * ```ts
 * import { lockRootOf } from '@agentm/selection'
 *
 * console.log(lockRootOf({ env: {}, home: '/home/ada', installations: [] })) // /home/ada/.cache/agentm/locks
 * ```
 */
export function lockRootOf({ env, home }: SelectionWorld): FilePath {
  const cache = env.XDG_CACHE_HOME ?? ''
  return resolve(cache === '' ? resolve(home, '.cache') : cache, 'agentm', 'locks') as FilePath
}
