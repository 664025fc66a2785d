/** Which backend is configured, and by which setting. Whether it is available is checked elsewhere. */
import { type ConfigValues, strip } from '@agentm/settings'

/** Which setting chose a backend. */
export type StorageOrigin = 'configured' | 'environment' | 'legacy' | 'default'

/** A backend, and which setting chose it. */
export interface StorageChoice {
  readonly protocol: string
  readonly origin: StorageOrigin
}

/** The parts of the install config that decide. */
export interface StorageWishes {
  readonly values: Pick<ConfigValues, 'storage.backend' | 'vault_path' | 'plugins.obsidian-vault.vault_path'>
}

/**
 * Which backend is configured, and by which setting. It opens nothing.
 *
 * @example
 * ```ts
 * import { chooseProtocol } from '@agentm/selection'
 *
 * const { protocol, origin } = chooseProtocol({ values: {} }, { MEMORY_VAULT_PATH: '/home/ada/vault' })
 * console.log(protocol, origin) // vault environment
 * ```
 */
export function chooseProtocol(
  { values }: StorageWishes,
  env: Readonly<Record<string, string | undefined>>,
): StorageChoice {
  const { 'storage.backend': configured, vault_path: legacy } = values
  if (configured !== undefined) return { protocol: configured, origin: 'configured' }
  if (strip(env.MEMORY_VAULT_PATH ?? '') !== '') return { protocol: 'vault', origin: 'environment' }
  // An installation from before `storage.backend` that names a vault uses it. Device-local storage would hide its memory.
  const isMoved = values['plugins.obsidian-vault.vault_path'] !== undefined
  if (legacy !== undefined && !isMoved) return { protocol: 'vault', origin: 'legacy' }
  return { protocol: 'device-local', origin: 'default' }
}
