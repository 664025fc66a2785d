/** Kinds of steps that the user's config lets workers run; also such as there are not. Nothing is opened. */
import { readInstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { harnessPolicy } from './harness-policy.ts'
import { workspaceWorld } from './workspace-world.ts'

export async function allowedKinds(given?: SelectionWorld): Promise<readonly string[]> {
  const world = given ?? (await workspaceWorld())
  return harnessPolicy(await readInstallConfig(world), world).kinds
}
