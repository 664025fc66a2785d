/** The configured backend, opened. The one place that knows a concrete backend: every other one comes as a plugin. */
import { plugin as deviceLocal } from '@agentm/backend-device-local'
import {
  resolveStorage,
  type SelectedStorage,
  type SelectionWorld,
  type StorageRequest,
  type StorageResolution,
} from '@agentm/selection'
import { registry } from '@agentm/storage-seam'
import { ensureStoreMarker } from './store-marker.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface OpenedStorage extends SelectedStorage {
  /** The store's id, which its marker and the configuration both name from now on. */
  readonly storeId: string
}

/** What selection is asked with: these surroundings, and the backends that are there without a plugin. */
export async function storageRequest(
  world?: SelectionWorld,
): Promise<StorageRequest & { readonly world: SelectionWorld }> {
  registry.register(deviceLocal, { clobber: true })
  return { world: world ?? (await workspaceWorld()), registry }
}

/** Selects or refuses, and makes sure the store can be told from an empty directory. Writes the marker, nothing else. */
export async function openStorage(
  request: StorageRequest & { readonly world: SelectionWorld },
): Promise<OpenedStorage> {
  const storage = selected(await resolveStorage(request))
  const { id } = await ensureStoreMarker(storage, request.world)
  return { ...storage, storeId: id }
}

function selected(resolution: StorageResolution): SelectedStorage {
  if (!resolution.ok) throw resolution.error
  return resolution.storage
}
