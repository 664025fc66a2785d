/** Steps of plans that keep work apart, on this machine. */
import path from 'node:path'
import type { StepKind, StepRun } from '@agentm/harness'
import type { Trees } from '@agentm/harness/trees'
import type { NodeStore } from '@agentm/nodes'
import { agentmHome, type InstallConfig, type SelectionWorld } from '@agentm/selection/reader'

export interface KeptApart {
  readonly trees: Trees
  /** These kinds, working in trees, and the one that merges. */
  kinds(kinds: readonly StepKind[]): readonly StepKind[]
  /** `undefined` for steps that work in the working folder. */
  directoryOf(run: StepRun): Promise<string | undefined>
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
  const { kind, directoryOf } = inTrees(trees)
  return { trees, directoryOf, kinds: (kinds) => [...kinds, mergeKind(trees)].map(kind) }
}

/** The directory that holds the trees of this machine. */
export function treesRoot(world: SelectionWorld): string {
  return path.join(agentmHome(world), 'trees')
}
