/**
 * What reading and writing share: the config read once, the store selected once, the project found once. Nothing here
 * writes.
 */
import { DeviceLocalBackend, plugin as deviceLocal } from '@agentm/backend-device-local'
import { noProject, type Project, resolveProject, type RoutingWorld } from '@agentm/routing/reader'
import {
  type InstallConfig,
  readInstallConfig,
  resolveStorage,
  type StorageRequest,
  type StorageResolution,
} from '@agentm/selection/reader'
import { registry } from '@agentm/storage-seam'
import { filePath } from '@agentm/vault-lock'
import { type Once, once } from './once.ts'
import type { Surroundings } from './workspace-place.ts'

/** The configured store as it was selected, whatever it holds. */
export type SelectedPlace = Extract<StorageResolution, { readonly ok: true }>

export interface WorkspaceBase extends Surroundings {
  readonly config: Once<InstallConfig>
  readonly selected: Once<SelectedPlace>
  readonly project: Once<Project>
  readonly request: StorageRequest & Pick<Surroundings, 'world'>
  readonly routing: RoutingWorld
}

/** `owner` stands in for the one of the config. */
export function workspaceBase(around: Surroundings, owner?: string): WorkspaceBase {
  registry.register(deviceLocal, { clobber: true })
  const { directory, world, hasProject } = around
  const request = { world, registry }
  const selected = once(async () => {
    const resolution = await resolveStorage(request)
    if (!resolution.ok) throw resolution.error
    return resolution
  })
  const routing: RoutingWorld = {
    selection: world,
    registry,
    backend: async () => (await selected()).storage.backend,
    openLocal: (root) => new DeviceLocalBackend(root, { followLinks: false }),
  }
  const cwd = filePath(directory)
  return {
    ...around,
    request,
    routing,
    selected,
    config: once(async () => ownedBy(await readInstallConfig(world), owner)),
    project: once(async () => (hasProject ? resolveProject({ cwd }, routing) : noProject(cwd, routing))),
  }
}

function ownedBy(config: InstallConfig, owner: string | undefined): InstallConfig {
  return owner === undefined ? config : { ...config, values: { ...config.values, owner } }
}
