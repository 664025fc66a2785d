/** What routing is asked with here: the user's selection, and plain files for state that stays with a checkout. */
import { DeviceLocalBackend, plugin as deviceLocal } from '@agentm/backend-device-local'
import type { RoutingWorld } from '@agentm/routing/reader'
import type { SelectionWorld } from '@agentm/selection/reader'
import { registry } from '@agentm/storage-seam'
import { workspaceWorld } from './workspace-world.ts'

export async function routingWorld(selection?: SelectionWorld): Promise<RoutingWorld> {
  registry.register(deviceLocal, { clobber: true })
  return {
    selection: selection ?? (await workspaceWorld()),
    registry,
    openLocal: (root) => new DeviceLocalBackend(root, { followLinks: false }),
  }
}
