import { type HarnessContext, planIdOf, type PlanHead, readPlan } from './harness-context.ts'
import { plan as planConcept } from './plan.ts'
import { isPlanOver } from './pure/plan-transitions.ts'

/** Resolves with the plan once it has ended. It waits on the feed, so any process may end the plan. */
export async function awaitPlan(context: HarnessContext, planId: string, signal?: AbortSignal): Promise<PlanHead> {
  const { store, owner } = context
  const id = planIdOf(planId)
  const after = await store.log.position()
  const head = await readPlan(context, id)
  if (isPlanOver(head.payload.status)) return head
  const feed = store.log.feed({ owner, after, concepts: [planConcept.name], ...(signal && { signal }) })
  for await (const { node } of feed) if (node.id === id && isPlanOver(node.status)) return readPlan(context, id)
  signal?.throwIfAborted()
  // The store was closed while waiting, so the newest version that can be read is returned.
  return readPlan(context, id)
}
