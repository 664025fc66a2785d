/**
 * Goals for one directory: the configured model takes them apart, with what memory knows of them, and the configured
 * embedder says who suits a step. Any of the three may be missing; the plan is smaller then, and its records say why.
 */
import { openPlanner as openPlannerOver, type Planner, type RecallForGoal } from '@agentm/harness'
import { oneLine, type RecallResult, sourceOf } from '@agentm/memory'
import { readInstallConfig, type SelectionWorld } from '@agentm/selection'
import { configuredEmbedder } from './configured-embedder.ts'
import { deviceState } from './device-state.ts'
import type { OpenedHarness } from './open-harness.ts'
import { openMemory } from './open-memory.ts'
import { partitionOf } from './partition-of.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface OpenedPlanner {
  readonly planner: Planner
  /** The project that goals of this directory belong to. */
  readonly partition: string
  /** False: plans are one step each, and wait for somebody. */
  readonly hasModel: boolean
}

export interface OpenPlannerOptions {
  /** Kept as `createdBy` of what is planned; `planner` where absent. */
  readonly actor?: string
  readonly world?: SelectionWorld
}

export async function openPlanner(
  { store, owner, project, agents }: OpenedHarness,
  directory: string,
  { actor = 'planner', world: given }: OpenPlannerOptions = {},
): Promise<OpenedPlanner> {
  const world = given ?? (await workspaceWorld())
  const config = await readInstallConfig(world)
  const embedder = await configuredEmbedder(config, { world, cache: deviceState(world) })
  const model = (await agents.model())?.model
  const planner = openPlannerOver({
    store,
    owner,
    actor,
    tools: await agents.tools(),
    recall: recallIn(directory, world),
    ...(model && { model }),
    ...(embedder && { embedder }),
  })
  return { planner, partition: partitionOf(project), hasModel: model !== undefined }
}

const mostRecalled = 8

function withTitle({ title, text }: RecallResult): string {
  return text.includes(title) ? text : `${oneLine(title)}\n${text}`
}

/** Memory is opened when it is asked, so that a goal that asks nobody waits for nothing. */
function recallIn(directory: string, world: SelectionWorld): RecallForGoal {
  return async (goal) => {
    const opened = await openMemory(directory, world)
    try {
      const { results } = await opened.memory.recall({ text: goal, k: mostRecalled, of: ['belief', 'note'] })
      return results.map((found) => ({ id: found.id, kind: sourceOf(found), text: withTitle(found) }))
    } finally {
      await opened.close()
    }
  }
}
