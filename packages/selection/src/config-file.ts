/** The path of this user's install config. */
import { isAbsolute, join, resolve } from 'node:path'
import type { FilePath } from '@agentm/vault-lock'
import { strip } from '@agentm/settings'
import type { SelectionWorld } from './selection-world.ts'
import { StorageSelectionError } from './storage-selection-error.ts'

/**
 * The path of this user's install config.
 *
 * @example
 * ```ts
 * import { configFile } from '@agentm/selection'
 *
 * console.log(configFile({ env: {}, home: '/home/ada', installations: [] })) // /home/ada/.claude/.agentm-config.json
 * ```
 */
export function configFile(world: SelectionWorld): FilePath {
  return join(installPrefix(world), '.agentm-config.json') as FilePath
}

/** The directory of this user's installation, with its config and its added packages. */
export function installPrefix(world: SelectionWorld): FilePath {
  const given = strip(world.env.AGENTM_INSTALL_PREFIX ?? '')
  if (given === '') return resolve(world.home, '.claude') as FilePath
  return absolute(given, world, 'AGENTM_INSTALL_PREFIX', 'config')
}

/** Replaces `~` by the home directory. A relative path is refused, because it would mean another directory in every working directory. */
export function absolute(
  given: string,
  world: SelectionWorld,
  what: string,
  reason: 'config' | 'no-root' = 'no-root',
): FilePath {
  const path = /^~(?=[/\\]|$)/.test(given) ? join(world.home, given.slice(1)) : given
  if (isAbsolute(path)) return join(path) as FilePath
  throw new StorageSelectionError(
    `${what} is ${JSON.stringify(given)}, which is not an absolute path. Give it in full.`,
    {
      reason,
    },
  )
}
