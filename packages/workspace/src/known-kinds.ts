import { pluginKinds } from './plugin-kinds.ts'
import { isStepKindName, stepKindNames } from './step-kind-names.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** The built-in kinds of steps, and those of `wanted` that a plugin brings. No plugin is loaded for a built-in one. */
export async function knownKinds(
  wanted: readonly string[],
  { config, world }: Pick<WorkspaceBase, 'config' | 'world'>,
): Promise<readonly string[]> {
  const others = wanted.filter((name) => !isStepKindName(name))
  if (others.length === 0) return stepKindNames
  const { found } = await pluginKinds(others, { config: await config(), world })
  return [...stepKindNames, ...found.keys()]
}
