/** The errors of selection: the configured storage is unavailable, and no other storage is used in its place. */
import type { CapabilityName } from '@agentm/storage-seam'

/** Why the configured storage cannot be used. */
export type StorageSelectionReason =
  /** No installed plugin has the configured name. */
  | 'unregistered'
  /** The plugin's name is known, but it is not installed. */
  | 'not-installed'
  /** The backend lacks a required capability. */
  | 'capability'
  /** The install config is corrupt or has an invalid value. */
  | 'config'
  /** The directory of the store is not configured, does not exist, or is not allowed. */
  | 'no-root'
  /** A plugin was found but cannot be used. */
  | 'plugin'

/** The configured storage cannot be used. `reason` says why; no other storage is used in its place. */
export class StorageSelectionError extends Error {
  override readonly name: string = 'StorageSelectionError'
  readonly code = 'STORAGE_SELECTION'
  readonly reason: StorageSelectionReason
  constructor(message: string, options: ErrorOptions & { readonly reason: StorageSelectionReason }) {
    super(message, options)
    this.reason = options.reason
  }
}

/** The plugin of the configured store is not installed here. */
export class BackendNotInstalledError extends StorageSelectionError {
  override readonly name = 'BackendNotInstalledError'
  readonly protocol: string
  constructor(protocol: string, message: string, options: ErrorOptions = {}) {
    super(message, { ...options, reason: 'not-installed' })
    this.protocol = protocol
  }
}

/** The configured backend works, but lacks a capability that this call needs. */
export class CapabilityMismatchError extends StorageSelectionError {
  override readonly name = 'CapabilityMismatchError'
  readonly protocol: string
  readonly unmet: readonly CapabilityName[]
  constructor(protocol: string, unmet: readonly CapabilityName[]) {
    super(
      `the storage backend "${protocol}" does not have the capability ${unmet.join(', ')}. ` +
        'Choose a backend that has it: agentm config set storage.backend NAME',
      { reason: 'capability' },
    )
    this.protocol = protocol
    this.unmet = unmet
  }
}

/**
 * True for a refusal of this family, also when another copy of this package threw it.
 *
 * @example
 * ```ts
 * import { isStorageSelectionError, selectBackend } from '@agentm/selection'
 *
 * const world = { env: { MEMORY_VAULT_PATH: '/nowhere' }, home: '/home/ada', installations: [] }
 * await selectBackend({ world }).catch((error: unknown) => console.log(isStorageSelectionError(error))) // true
 * ```
 */
export function isStorageSelectionError(
  error: unknown,
  reason?: StorageSelectionReason,
): error is Pick<StorageSelectionError, keyof StorageSelectionError> {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== 'STORAGE_SELECTION') return false
  return reason === undefined || (error as { reason?: unknown }).reason === reason
}
