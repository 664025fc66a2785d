import { isGoneHere, type PlansReader } from '@agentm/workspace/reader'
import type { PlanStandingNow } from '../contract/plans.ts'

/** What a plan used, and how many workers of this log are alive. Counts every observation, so the page asks for it less often than for the plan. */
export async function planStanding({ harness, work }: PlansReader, planId: string): Promise<PlanStandingNow> {
  const [usage, sessions, now] = await Promise.all([harness.usage(planId), work.sessions(), work.now()])
  return { usage, workers: sessions.filter((each) => each.leaseUntil > now && !isGoneHere(each)).length }
}
