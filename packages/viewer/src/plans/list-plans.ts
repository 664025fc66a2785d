import { scanAll } from '@agentm/nodes'
import type { PlansReader } from '@agentm/workspace/reader'
import type { AskList, PlanList } from '../contract/plans.ts'
import { asksOfFunctions } from './function-asks.ts'
import { asksIn } from './pure/asks-in.ts'
import { planRow } from './pure/plan-facts.ts'

const pageSize = 300

/** Plans of the owner, the last changed first. */
export async function listPlans({ log, work, owner }: PlansReader, cursor?: string): Promise<PlanList> {
  const page = await log.scan({
    owner,
    concepts: ['v1:harness:plan'],
    order: 'newest',
    limit: pageSize,
    ...(cursor !== undefined && { cursor }),
  })
  const plans = await Promise.all(
    page.nodes.map(async (head) => planRow(head, await work.tally(head.id, { owner, concept: 'v1:harness:step' }))),
  )
  return {
    plans,
    ...(page.cursor !== undefined && { cursor: page.cursor }),
    hasLog: true,
    now: await work.now(),
  }
}

/** What waits for a person, over all plans, the oldest first. */
export async function listAsks(plans: Pick<PlansReader, 'log' | 'owner'>): Promise<AskList> {
  const { log, owner } = plans
  const blocked = await scanAll(log, { owner, concepts: ['v1:harness:step'], status: 'blocked' })
  const asks = [...blocked.flatMap(asksIn), ...(await asksOfFunctions(plans))]
  return { asks: asks.toSorted((a, b) => a.since - b.since) }
}
