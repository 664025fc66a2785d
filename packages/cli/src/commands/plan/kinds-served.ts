/** The kinds that live workers run which take steps of a plan: one list for each worker. */
import { type PlanHead, type Serving, servingOf } from '@agentm/harness'
import type { Head, NodeLog, Session } from '@agentm/nodes'

export interface PlansSource {
  readonly log: Pick<NodeLog, 'latest'>
  readonly owner: string
}

export async function kindsServed(
  source: PlansSource,
  plan: PlanHead,
  live: readonly Session[],
): Promise<readonly (readonly string[])[]> {
  const workers = live.flatMap((session) => servingOf(session) ?? [])
  const ours = workers.filter(({ owners }) => owners.includes(source.owner))
  const above = ours.some(({ plans }) => plans !== undefined) ? await plansAbove(source, plan) : []
  const takes = ({ plans }: Serving) => plans === undefined || plans.some((id) => above.includes(id))
  return ours.filter(takes).map(({ kinds }) => kinds)
}

/** A plan and those whose steps started it. */
async function plansAbove({ log, owner }: PlansSource, plan: PlanHead): Promise<readonly string[]> {
  const ids = [plan.id]
  let above: Head | undefined = plan
  while (above !== undefined) {
    const parent: unknown = above.payload['parentPlanId']
    if (typeof parent !== 'string' || ids.includes(parent)) break
    ids.push(parent)
    above = await log.latest(parent, { owner })
  }
  return ids
}
