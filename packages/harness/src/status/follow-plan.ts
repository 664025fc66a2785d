/** A plan and its steps as they are, then each change of them, until the plan has ended. */
import { type Node, scanAll } from '@agentm/nodes'
import { asPlan, type HarnessContext, readPlan } from '../harness-context.ts'
import { isFunctionKind } from '../functions/pure/function-kind-name.ts'
import { entryName, planName, stepName } from '../pure/concept-names.ts'
import { isPlanOver } from '../pure/plan-transitions.ts'

/** One change of a plan or of one of its steps, as `followPlan` gives it. */
export interface PlanEvent {
  /** A version of the plan, or of one of its steps. */
  readonly node: Node
  readonly oldStatus?: string
  /** The step asks something while it runs. It is given with the version that was known before. */
  readonly asks?: true
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
  const steps = await scanAll(store.log, { owner, parent: plan.id, concepts: [stepName] })
  for (const node of steps) yield { node, isNews: false }
  /** The newest version of each function. What it asks for is an entry of its own. */
  const functions = new Map(steps.filter(isFunction).map((node) => [node.id, node] as [string, Node]))
  // A plan that ends later is noticed in the feed.
  if (isPlanOver(plan.payload.status) && plan.seq <= after) return
  const concepts = [planName, stepName, ...(functions.size > 0 ? [entryName] : [])]
  const feed = store.log.feed({ owner, after, concepts, ...(signal && { signal }) })
  for await (const { node, oldStatus } of feed) {
    if (node.id !== plan.id && node.payload['planId'] !== plan.id) continue
    if (node.concept === entryName) {
      const step = node.status === 'asking' ? functions.get(String(node.payload['stepId'])) : undefined
      if (step !== undefined) yield { node: step, ...oldStatusOf(step), asks: true, isNews: true }
      continue
    }
    if (isFunction(node)) functions.set(node.id, node)
    yield { node, ...(oldStatus !== undefined && { oldStatus }), isNews: true }
    if (node.id === plan.id && isPlanOver(asPlan(node).payload.status)) return
  }
}

function isFunction({ concept, payload }: Node): boolean {
  return concept === stepName && isFunctionKind(String(payload['kind']))
}

function oldStatusOf({ status }: Node): Pick<PlanEvent, 'oldStatus'> {
  return status === undefined ? {} : { oldStatus: status }
}
