/** The `plugin` export of a package, with which users choose a backend by name in their configuration. */
import type { StorageBackend } from './storage-backend.ts'

/** The version of this contract. A plugin for another version is refused, with its name in the error. */
export const seamMajor = 1

/** The plugin's own values from the user's configuration, without their prefix. */
export type BackendSettings = Readonly<Record<string, unknown>>

/** What a plugin package exports as `plugin`. It lets users choose a backend by name in their configuration. */
export interface BackendPlugin {
  /** The name people write as `storage.backend`. */
  readonly protocol: string
  /** The value of `seamMajor` that the plugin was written for. */
  readonly seam: number
  /** Prefix of its settings, such as `plugins.obsidian-vault`; `plugins.obsidian-vault.vault_path` arrives as `vault_path`. */
  readonly settingsKey: string
  /** The settings that give the directory of the files, joined in this order. Absent if the backend has no directory. */
  readonly rootSetting?: string | readonly string[]
  /** Opens the store. Changes nothing on disk, because the first write creates the root. */
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
