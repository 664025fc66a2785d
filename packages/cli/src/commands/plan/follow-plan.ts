/** Watches a plan through the log until it ends, until only a person can move it, or until `signal`. */
import { isPlanOver } from '@agentm/harness'
import type { Node, NodeLog } from '@agentm/nodes'
import { planConcept, stepConcept } from './find-row.ts'
import { planState, type PlanSource, type PlanState } from './plan-state.ts'
import type { PlanProgress } from './plan-progress.ts'
import { needsSomebody } from './pure/needs-somebody.ts'

export interface Following {
  readonly source: Omit<PlanSource, 'log'> & { readonly log: NodeLog }
  readonly planId: string
  readonly progress: PlanProgress
  readonly signal: AbortSignal
  /** Also while it waits for somebody. */
  readonly stays: boolean
}

export async function followPlan(following: Following): Promise<'ended' | 'waits' | 'stopped'> {
  const { source, planId, progress, signal, stays } = following
  const after = await source.log.position()
  let paused = false
  let lookedAt = 0
  const look = async () => {
    const state = await planState(source, planId)
    ;[paused, lookedAt] = [state.paused, await source.work.now()]
    progress.show(state, lookedAt)
    return verdictOf(state, stays)
  }
  const first = await look()
  if (first !== undefined) return first
  const feed = source.log.feed({ owner: source.owner, after, concepts: [planConcept, stepConcept], signal })
  for await (const { node, oldStatus } of feed) {
    if (node.id !== planId && node.payload['planId'] !== planId) continue
    progress.event(node, oldStatus)
    if (!(await isWorthALook(source, node, { paused, lookedAt }))) continue
    const verdict = await look()
    if (verdict !== undefined) return verdict
  }
  return 'stopped'
}

/** How often a screen is brought up to date while much happens. */
const screenMs = 250

/** A look reads all that has not ended. While something runs, or can, no plan comes to a stop; counting tells that. */
async function isWorthALook(
  { work, owner }: Following['source'],
  { concept, status, payload }: Node,
  seen: { readonly paused: boolean; readonly lookedAt: number },
): Promise<boolean> {
  if (concept === planConcept || status === 'blocked') return true
  if ((await work.now()) - seen.lookedAt > screenMs) return true
  if (status !== 'done' && status !== 'failed') return false
  const counts = await work.tally(String(payload['planId']), { owner, concept: stepConcept })
  return (counts['running'] ?? 0) === 0 && (seen.paused || (counts['ready'] ?? 0) === 0)
}

function verdictOf(state: PlanState, stays: boolean): 'ended' | 'waits' | undefined {
  if (isPlanOver(state.status)) return 'ended'
  return !stays && needsSomebody(state) ? 'waits' : undefined
}
