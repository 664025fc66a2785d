/** A plan and its steps as they are, then each change of them, until the plan has ended. */
import { type Node, scanAll } from '@agentm/nodes'
import { asPlan, type HarnessContext, readPlan } from '../harness-context.ts'
import { planName, stepName } from '../pure/concept-names.ts'
import { isPlanOver } from '../pure/plan-transitions.ts'

/** One change of a plan or of one of its steps, as `followPlan` gives it. */
export interface PlanEvent {
  /** A version of the plan, or of one of its steps. */
  readonly node: Node
  readonly oldStatus?: string
  /** `true` if the change happened after following began; `false` for the state at that time. */
  readonly isNews: boolean
}

/** Changes count from the call of this function, even if the first event is asked for later. */
export function followPlan(context: HarnessContext, planId: string, signal?: AbortSignal): AsyncIterable<PlanEvent> {
  const after = context.store.log.position()
  // Kept until a caller asks for the first event, which may never happen.
  after.catch(() => undefined)
  return eventsAfter(context, planId, { after, signal })
}

async function* eventsAfter(
  context: HarnessContext,
  planId: string,
  { after: position, signal }: { readonly after: Promise<number>; readonly signal: AbortSignal | undefined },
): AsyncGenerator<PlanEvent, void, undefined> {
  const { store, owner } = context
  const after = await position
  const plan = await readPlan(context, planId)
  yield { node: plan, isNews: false }
  for (const node of await scanAll(store.log, { owner, parent: plan.id, concepts: [stepName] }))
    yield { node, isNews: false }
  // A plan that ends later is noticed in the feed.
  if (isPlanOver(plan.payload.status) && plan.seq <= after) return
  const feed = store.log.feed({ owner, after, concepts: [planName, stepName], ...(signal && { signal }) })
  for await (const { node, oldStatus } of feed) {
    if (node.id !== plan.id && node.payload['planId'] !== plan.id) continue
    yield { node, ...(oldStatus !== undefined && { oldStatus }), isNews: true }
    if (node.id === plan.id && isPlanOver(asPlan(node).payload.status)) return
  }
}
