/**
 * Plans goals in one directory: the configured model divides them, with matching memories, and the configured embedder selects
 * agents. Any of the three may be absent; the plan is then simpler, and its records say why.
 */
import { openPlanner, type Planner, type RecallForGoal } from '@agentm/planner'
import type { RecallResult } from '@agentm/memory'
import { oneLine, sourceOf } from '@agentm/memory/shown'
import type { Plans } from './open-plans.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

export interface OpenedPlanner {
  readonly planner: Planner
  /** `false`: each plan is one step and waits for a person. */
  readonly hasModel: boolean
}

export interface PlannerOptions {
  /** Kept as `createdBy` of what is planned (default: `planner`). */
  readonly actor?: string
}

export async function plannerOf(
  parts: WorkspaceParts,
  { store, owner, agents }: Pick<Plans, 'store' | 'owner' | 'agents'>,
  { actor = 'planner' }: PlannerOptions = {},
): Promise<OpenedPlanner> {
  const embedder = await parts.embedder()
  const model = (await agents.model('planner'))?.model
  const planner = openPlanner({
    store,
    owner,
    actor,
    tools: await agents.tools(),
    recall: recallIn(parts),
    ...(model && { model }),
    ...(embedder && { embedder }),
  })
  return { planner, hasModel: model !== undefined }
}

const mostRecalled = 8

function withTitle({ title, text }: RecallResult): string {
  return text.includes(title) ? text : `${oneLine(title)}\n${text}`
}

/** Memory is opened when it is asked, so that a goal that asks nobody waits for nothing. */
function recallIn({ memory }: WorkspaceParts): RecallForGoal {
  return async (goal) => {
    const opened = await memory()
    const { results } = await opened.recall({ text: goal, k: mostRecalled, of: ['belief', 'note'] })
    return results.map((found) => ({ id: found.id, kind: sourceOf(found), text: withTitle(found) }))
  }
}
