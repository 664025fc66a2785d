/** Opens the selected store and writes its marker, so that it can be distinguished from an empty directory. Nothing else is written. */
import type { SelectedStorage, SelectionWorld } from '@agentm/selection'
import { ensureStoreId } from './store-id.ts'

/** The selected store, with its id. */
export interface OpenedStorage extends SelectedStorage {
  /** The store's id, which its marker and the configuration both name from now on. */
  readonly storeId: string
}

export async function markStorage(storage: SelectedStorage, world: SelectionWorld): Promise<OpenedStorage> {
  return { ...storage, storeId: await ensureStoreId(storage, world) }
}
