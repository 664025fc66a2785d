/** What a plan has changed so far: from its trees, or from the log if those are elsewhere or gone. */
import { type NodeLog, scanAll } from '@agentm/nodes'
import { observationName } from '../pure/concept-names.ts'
import type { TreesOfPlan } from './trees-of-plan.ts'
import { type ChangedFile, changedFiles } from './worktree.ts'

/** What a plan or a step has changed. */
export interface PlanDiff {
  readonly files: readonly ChangedFile[]
  readonly diff: string
  /** The text of the diff is not complete. */
  readonly cut: boolean
  /** `log`: what was recorded when the steps ended, step by step. */
  readonly from: 'trees' | 'log'
}

/** What the done steps of a plan, or one step, have changed. */
export async function diffPlan(
  place: TreesOfPlan,
  { log, owner, stepId }: { readonly log: Pick<NodeLog, 'scan'>; readonly owner: string; readonly stepId?: string },
): Promise<PlanDiff> {
  const change = place.isHere ? await rangeOf(place, stepId) : undefined
  if (change === undefined)
    return recorded(log, { owner, planId: place.planId, ...(stepId !== undefined && { stepId }) })
  const repo = await place.repository()
  const files = await changedFiles(repo, { from: change.start, to: change.head })
  const { out, cut } = await repo.git(['diff', '--no-color', '--no-ext-diff', change.start, change.head])
  return { files, diff: out, cut, from: 'trees' }
}

async function rangeOf(
  place: TreesOfPlan,
  stepId: string | undefined,
): Promise<{ readonly start: string; readonly head: string } | undefined> {
  if (stepId !== undefined) return place.changeOf(stepId)
  const changes = await place.changes()
  return changes.length === 0 ? undefined : { start: place.trees.base, head: await place.merged() }
}

interface Recorded {
  readonly files: readonly ChangedFile[]
  readonly diff: string
  readonly cut?: boolean
}

/** The last record of each step. */
async function recorded(
  log: Pick<NodeLog, 'scan'>,
  { owner, planId, stepId }: { readonly owner: string; readonly planId: string; readonly stepId?: string },
): Promise<PlanDiff> {
  const last = new Map<unknown, Recorded>()
  for (const { payload } of await scanAll(log, {
    owner,
    concepts: [observationName],
    related: { field: 'planId', to: planId },
  })) {
    const { change }: { readonly change?: Recorded } = payload['data'] ?? {}
    if (change !== undefined && (stepId === undefined || payload['stepId'] === stepId))
      last.set(payload['stepId'], change)
  }
  const all = [...last.values()]
  return {
    files: all.flatMap(({ files }) => files),
    diff: all.map(({ diff }) => diff).join(''),
    cut: all.some(({ cut }) => cut === true),
    from: 'log',
  }
}
