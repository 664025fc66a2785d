/**
 * Resolves the config to a backend or an error. `selectBackend` and the preview both use it, so `doctor` reports exactly what
 * happens. It changes nothing on disk.
 */
import {
  type BackendPlugin,
  type BackendRegistry,
  findStoreId,
  registry as processRegistry,
  type StorageBackend,
} from '@agentm/storage-seam'
import type { FilePath } from '@agentm/vault-lock'
import { findPlugin } from './find-plugin.ts'
import { readInstallConfig } from './install-config.ts'
import { chooseProtocol, type StorageChoice } from './pure/choose-protocol.ts'
import { type RequiredCapabilities, unmetCapabilities } from './pure/required-capabilities.ts'
import { processWorld, type SelectionWorld } from './selection-world.ts'
import { CapabilityMismatchError, isStorageSelectionError, StorageSelectionError } from './storage-selection-error.ts'
import { refuseForeignStore } from './refuse-foreign-store.ts'
import { placeStore, refuseAbsent, type StorePlace } from './store-place.ts'

/** What is needed of the configured backend. */
export interface StorageRequest {
  readonly required?: RequiredCapabilities
  readonly world?: SelectionWorld
  readonly registry?: BackendRegistry
}

/** The selected backend, why it was selected, and the id its store should have. */
export interface SelectedStorage extends StorageChoice {
  readonly backend: StorageBackend
  /** The store id the config names for this store. */
  readonly storeId?: string
  /** The config key for the id of a new store; absent if the environment names another store than the config. */
  readonly storeIdKey?: string
}

/** The answer of `resolveStorage`. */
export type StorageResolution =
  | { readonly ok: true; readonly storage: SelectedStorage; readonly plugin: BackendPlugin; readonly place: StorePlace }
  | { readonly ok: false; readonly error: unknown }

/**
 * Resolves the configuration to a backend, or to the reason why there is none. `selectBackend` and `previewStorage` both use it.
 *
 * @example
 * ```ts
 * import { resolveStorage } from '@agentm/selection'
 *
 * const found = await resolveStorage({ world: { env: { MEMORY_VAULT_PATH: '/nowhere' }, home: '/home/ada', installations: [] } })
 * console.log(found.ok) // false
 * ```
 */
export async function resolveStorage(request: StorageRequest = {}): Promise<StorageResolution> {
  try {
    const located = await locateStorage(request)
    const backend = await open(located)
    refuseUnmet(located.choice.protocol, request.required ?? {}, backend)
    const { storeIdKey, settings } = located.place
    const storeId = settings.store_id
    const storage = {
      ...located.choice,
      backend,
      ...(storeIdKey === undefined ? {} : { storeIdKey }),
      ...(typeof storeId === 'string' ? { storeId } : {}),
    }
    return { ok: true, storage, plugin: located.plugin, place: located.place }
  } catch (error) {
    return { ok: false, error }
  }
}

/**
 * The directory of the configured store; `undefined` if it has none. Throws like selection.
 *
 * @example
 * ```ts
 * import { findStoreRoot } from '@agentm/selection'
 *
 * const root = await findStoreRoot() // such as /home/ada/.agentm/memory
 * ```
 */
export async function findStoreRoot(request: Omit<StorageRequest, 'required'> = {}): Promise<FilePath | undefined> {
  return (await locateStorage(request)).place.root
}

type Located = Awaited<ReturnType<typeof locateStorage>>

async function locateStorage({ world = processWorld(), registry = processRegistry }: StorageRequest) {
  const config = await readInstallConfig(world)
  const choice = chooseProtocol(config, world.env)
  const plugin = await findPlugin({ protocol: choice.protocol, registry, config, world })
  return { choice, plugin, place: await placeStore(plugin, config, world) }
}

async function open({ plugin, place }: Located): Promise<StorageBackend> {
  const backend = await opened(plugin.protocol, () => plugin.open(place.settings))
  if (!isBackend(backend))
    throw new StorageSelectionError(
      `the plugin for the storage backend "${plugin.protocol}" opened something that is not a backend. Update the plugin.`,
      { reason: 'plugin' },
    )
  const { sync } = await opened(plugin.protocol, () => backend.capabilities)
  if (sync && place.root !== undefined && place.base !== undefined) await refuseAbsent(place.base)
  const { store_id: storeId } = place.settings
  if (typeof storeId === 'string')
    await opened(plugin.protocol, async () => refuseForeignStore(await findStoreId(backend), storeId))
  return backend
}

/** Passes errors of selection on, and adds the plugin's name to any other error. */
async function opened<T>(protocol: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (isStorageSelectionError(error)) throw error
    throw new StorageSelectionError(
      `the storage backend "${protocol}" cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
      { reason: reasonOf(error), cause: error },
    )
  }
}

function reasonOf(error: unknown): 'no-root' | 'plugin' {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === 'STORE_UNAVAILABLE' || code === 'STORE_MARKER_CORRUPT' ? 'no-root' : 'plugin'
}

function refuseUnmet(protocol: string, required: RequiredCapabilities, backend: StorageBackend): void {
  const unmet = unmetCapabilities(required, backend.capabilities)
  if (unmet.length > 0) throw new CapabilityMismatchError(protocol, unmet)
}

const verbs = ['resolve', 'read', 'write', 'list', 'exists', 'info', 'mkdir'] as const

/** Checked by its fields, because a plugin may have its own copy of the seam. */
function isBackend(value: unknown): value is StorageBackend {
  if (typeof value !== 'object' || value === null) return false
  return (
    'capabilities' in value && verbs.every((verb) => typeof (value as Record<string, unknown>)[verb] === 'function')
  )
}
