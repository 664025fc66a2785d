/** Which backend is meant, and who said so. It only chooses; whether it can be had is another question. */
import { strip } from './strip.ts'

export type StorageOrigin = 'configured' | 'environment' | 'legacy' | 'default'

export interface StorageChoice {
  readonly protocol: string
  readonly origin: StorageOrigin
}

/** The parts of the install config that decide. */
export interface StorageWishes {
  readonly backend?: string
  readonly legacyVaultPath?: string
  readonly values: Readonly<Record<string, unknown>>
}

export function chooseProtocol(
  config: StorageWishes,
  env: Readonly<Record<string, string | undefined>>,
): StorageChoice {
  if (config.backend !== undefined) return { protocol: config.backend, origin: 'configured' }
  if (strip(env.MEMORY_VAULT_PATH ?? '') !== '') return { protocol: 'vault', origin: 'environment' }
  // An installation from before `storage.backend` that names a vault means it; device-local would hide its memory.
  const moved = config.values['plugins.obsidian-vault.vault_path'] !== undefined
  if (config.legacyVaultPath !== undefined && !moved) return { protocol: 'vault', origin: 'legacy' }
  return { protocol: 'device-local', origin: 'default' }
}
