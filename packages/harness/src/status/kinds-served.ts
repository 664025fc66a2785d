/** For each live worker that takes steps of the plan: the kinds that it runs. */
import type { Head, Session } from '@agentm/nodes'
import type { HarnessContext, PlanHead } from '../harness-context.ts'
import { type Serving, servingOf } from '../pure/serving.ts'

export async function kindsServed(
  context: HarnessContext,
  plan: PlanHead,
  live: readonly Session[],
): Promise<readonly (readonly string[])[]> {
  const workers = live.flatMap((session) => servingOf(session) ?? [])
  const ours = workers.filter(({ owners }) => owners.includes(context.owner))
  const above = ours.some(({ plans }) => plans !== undefined) ? await plansAbove(context, plan) : []
  const takes = ({ plans }: Serving) => plans === undefined || plans.some((id) => above.includes(id))
  return ours.filter(takes).map(({ kinds }) => kinds)
}

/** A plan, and the plans above it. */
async function plansAbove({ store, owner }: HarnessContext, plan: PlanHead): Promise<readonly string[]> {
  const ids = [plan.id]
  let above: Head | undefined = plan
  while (above !== undefined) {
    const parent: unknown = above.payload['parentPlanId']
    if (typeof parent !== 'string' || ids.includes(parent)) break
    ids.push(parent)
    above = await store.log.latest(parent, { owner })
  }
  return ids
}
