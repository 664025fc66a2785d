/** What a package exports, as `plugin`, so that a backend can be chosen by name in the user's configuration. */
import type { StorageBackend } from './storage-backend.ts'

/** The version of this contract. A plugin written for another one is refused, by name. */
export const seamMajor = 1

/** The plugin's own values from the user's configuration, without their prefix. */
export type BackendSettings = Readonly<Record<string, unknown>>

/** What a plugin package exports as `plugin`. It lets users choose a backend by name in their configuration. */
export interface BackendPlugin {
  /** The name people write as `storage.backend`. */
  readonly protocol: string
  /** `seamMajor` at the time of writing. */
  readonly seam: number
  /** Prefix of its settings, such as `plugins.obsidian-vault`; `plugins.obsidian-vault.vault_path` arrives as `vault_path`. */
  readonly settingsKey: string
  /** The settings that, joined in order, name the directory files are kept in; absent where there is no directory. */
  readonly rootSetting?: string | readonly string[]
  /** Opens the store. Changes nothing on disk: a root is made by the first write. */
  open(settings: BackendSettings): Promise<StorageBackend>
}

/**
 * Recognised by shape: a plugin may bring its own copy of this package.
 *
 * @example
 * ```ts
 * import { isBackendPlugin } from '@agentm/storage-seam'
 *
 * const module: Record<string, unknown> = await import('@agentm/backend-vault')
 * console.log(isBackendPlugin(module['plugin'])) // true
 * ```
 */
export function isBackendPlugin(value: unknown): value is BackendPlugin {
  if (typeof value !== 'object' || value === null) return false
  const { protocol, seam, settingsKey, open } = value as Partial<BackendPlugin>
  return (
    typeof protocol === 'string' &&
    typeof seam === 'number' &&
    typeof settingsKey === 'string' &&
    typeof open === 'function'
  )
}
