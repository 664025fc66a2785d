/** Whether nothing was ever kept here: no log, no store, and no config that says there should be one. Nothing is made by asking. */
import { readInstallConfig, resolveStorage, type SelectionWorld } from '@agentm/selection'
import { isThere } from './is-there.ts'
import { nodesPlace } from './nodes-place.ts'
import { storageRequest } from './open-storage.ts'

export async function isUntouched(world?: SelectionWorld): Promise<boolean> {
  const request = await storageRequest(world)
  const { url, localFile } = nodesPlace(await readInstallConfig(request.world), request.world)
  if (url !== undefined || (await isThere(localFile))) return false
  const resolution = await resolveStorage(request)
  if (!resolution.ok) return false
  const { place, storage } = resolution
  const isNamed = place.settings['store_id'] !== undefined
  return !isNamed && !storage.backend.capabilities.sync && place.root !== undefined && !(await isThere(place.root))
}
