/** Whether a log was ever written here. Nothing is made by asking, and of a server nothing is asked. */
import { readInstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { isThere } from './is-there.ts'
import { nodesPlace } from './nodes-place.ts'
import { workspaceWorld } from './workspace-world.ts'

export async function hasNodeLog(given?: SelectionWorld): Promise<boolean> {
  const world = given ?? (await workspaceWorld())
  const { file } = nodesPlace(await readInstallConfig(world), world)
  return file === undefined || (await isThere(file))
}
