/**
 * What a plan has used so far, the plans its steps started included, as a fold of the log. Nothing is counted in memory, so
 * a restart forgets nothing and two workers cannot disagree.
 */
import type { Node, ScanQuery } from '@agentm/nodes'
import { asPlan, type HarnessContext, type PlanHead } from './harness-context.ts'
import { plan as planConcept } from './plan.ts'
import { addUsage, noUsage, type Usage } from './pure/budget-verdict.ts'
import { observationUsage } from './pure/observation-usage.ts'
import { scanAll } from './scan-all.ts'
import { step as stepConcept } from './step.ts'

export interface UsageOptions {
  readonly now: number
  /** Count starts up to this sequence number only: the claim in question and those before it. */
  readonly upTo?: number
}

export async function planUsage(context: HarnessContext, plan: PlanHead, options: UsageOptions): Promise<Usage> {
  const { now, upTo = Infinity } = options
  const { store, owner } = context
  let usage: Usage = { ...noUsage, wallClockMs: wallClock(plan, now) }
  const starts = { owner, parent: plan.id, concepts: [stepConcept.name], versions: 'all' } as const
  for await (const { provenanceMutation, seq } of versions(context, starts))
    if (provenanceMutation === 'startHarnessStep' && seq <= upTo) usage = { ...usage, steps: usage.steps + 1 }
  const observed = { owner, related: { field: 'planId', to: plan.id }, versions: 'all' } as const
  for await (const { payload } of versions(context, observed)) usage = addUsage(usage, observationUsage(payload))
  const children = await scanAll(store.log, { owner, parent: plan.id, concepts: [planConcept.name] })
  for (const child of children) {
    const theirs = await planUsage(context, asPlan(child), options)
    usage = addUsage(usage, { ...theirs, wallClockMs: 0 })
  }
  return usage
}

async function* versions(
  { store }: HarnessContext,
  query: ScanQuery & { readonly versions: 'all' },
): AsyncGenerator<Node> {
  let cursor: string | undefined
  do {
    const page = await store.log.scan({ limit: 10_000, ...query, ...(cursor === undefined ? {} : { cursor }) })
    yield* page.nodes
    cursor = page.cursor
  } while (cursor !== undefined)
}

function wallClock({ payload: { startedAt } }: PlanHead, now: number): number {
  return startedAt === undefined ? 0 : Math.max(0, now - Date.parse(startedAt))
}
