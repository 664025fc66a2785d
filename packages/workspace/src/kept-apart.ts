/** Steps of plans that keep work apart, on this machine. */
import type { SandboxPlaces } from '@agentm/agent-loop/internal'
import type { StepKind, StepRun } from '@agentm/harness'
import type { Trees } from '@agentm/harness/trees'
import type { NodeStore } from '@agentm/nodes'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { treesRoot } from './trees-root.ts'

export interface KeptApart {
  readonly trees: Trees
  /** These kinds, working in trees, and the one that merges. */
  kinds(kinds: readonly StepKind[]): readonly StepKind[]
  /** `undefined` for steps that work in the working folder. */
  directoryOf(run: StepRun): Promise<string | undefined>
  /** What programs of a step have to reach in a sandbox; `undefined` for steps that work in the working folder. */
  placesOf(run: StepRun): Promise<SandboxPlaces | undefined>
}

export interface TreesPlace {
  readonly config: InstallConfig
  readonly world: SelectionWorld
}

/** Loaded when somebody runs or looks at steps, because most commands do neither. */
export async function keptApart({ log }: NodeStore, { config: { values }, world }: TreesPlace): Promise<KeptApart> {
  const { inTrees, mergeKind, openTrees } = await import('@agentm/harness/trees')
  const maxMb = values['trees.maxSnapshotMb']
  const link = values['trees.link']
  const trees = openTrees({
    log,
    root: treesRoot(world),
    ...(link && { link }),
    ...(maxMb !== undefined && { maxSnapshotBytes: maxMb * 1_000_000 }),
  })
  const { kind, directoryOf, placesOf } = inTrees(trees)
  return { trees, directoryOf, placesOf, kinds: (kinds) => [...kinds, mergeKind(trees)].map(kind) }
}
