/** The kinds of steps that the config allows and that plugins bring, found as a worker would find them. */
import { harnessPolicy } from './harness-policy.ts'
import { pluginKinds } from './plugin-kinds.ts'
import { stepKindNames } from './step-kind-names.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** Which kinds of steps are configured, and which were found. */
export interface KindsProbe {
  /** What is there without a plugin. */
  readonly builtIn: readonly string[]
  /** Kinds of plugins, and whether `harness.kinds` allows them. */
  readonly plugins: readonly { readonly kind: string; readonly from: string; readonly isAllowed: boolean }[]
  /** Kinds of `harness.kinds` that are not there. */
  readonly unknown: readonly string[]
}

export async function probeKinds({ config: read, world }: WorkspaceBase): Promise<KindsProbe> {
  const config = await read()
  const { kinds } = harnessPolicy(config, world)
  const { found, unknown } = await pluginKinds(kinds, { config, world })
  const plugins = [...found].map(([kind, { from }]) => ({ kind, from, isAllowed: kinds.includes(kind) }))
  return { builtIn: stepKindNames, plugins, unknown }
}
