/**
 * What a plan has used so far, the plans its steps started included, as a fold of the log. What was folded before is kept,
 * and only what came since is read; a restart begins at the start of the log, so it forgets nothing, and two workers cannot
 * disagree.
 */
import { type Node, type NodeLog, type ScanQuery, scanAll } from '@agentm/nodes'
import { asPlan, type HarnessContext, type PlanHead } from './harness-context.ts'
import { plan as planConcept } from './plan.ts'
import { addUsage, noUsage, type Usage } from './pure/budget-verdict.ts'
import { observationUsage } from './pure/observation-usage.ts'
import { step as stepConcept } from './step.ts'

export interface UsageOptions {
  readonly now: number
  /** Count starts up to this sequence number only: the claim in question and those before it. */
  readonly upTo?: number
}

/** Of one plan, without those its steps started. */
interface Folded {
  /** Everything up to this sequence number is in it, and nothing can turn up below. */
  readonly settled: number
  /** Sequence numbers. */
  readonly starts: readonly number[]
  readonly observed: Usage
}

const nothingYet: Folded = { settled: 0, starts: [], observed: noUsage }
const mostPlans = 500
const known = new WeakMap<NodeLog, Map<string, Folded>>()

export async function planUsage(context: HarnessContext, plan: PlanHead, options: UsageOptions): Promise<Usage> {
  const { now, upTo = Infinity } = options
  const { store, owner } = context
  const { starts, observed } = await folded(context, plan.id)
  let usage: Usage = {
    ...observed,
    steps: starts.filter((seq) => seq <= upTo).length,
    wallClockMs: wallClock(plan, now),
  }
  const children = await scanAll(store.log, { owner, parent: plan.id, concepts: [planConcept.name] })
  for (const child of children) {
    const theirs = await planUsage(context, asPlan(child), options)
    usage = addUsage(usage, { ...theirs, wallClockMs: 0 })
  }
  return usage
}

async function folded(context: HarnessContext, planId: string): Promise<Folded> {
  const { store, owner } = context
  const plans = known.get(store.log) ?? new Map<string, Folded>()
  known.set(store.log, plans)
  const key = JSON.stringify([owner, planId])
  const before = plans.get(key) ?? nothingYet
  // Asked first: what is read after it holds at least everything up to there.
  const settled = await store.log.position()
  const news = await newsOf(context, planId, before.settled)
  const kept = foldOf(before, news, settled)
  // Somebody else may have folded the same meanwhile; then theirs stays, and nothing is counted twice.
  if ((plans.get(key) ?? nothingYet) === before) keep(plans, key, kept)
  return foldOf(kept, { starts: news.starts, observed: news.observed }, Infinity)
}

interface News {
  readonly starts: readonly Node[]
  readonly observed: readonly Node[]
}

async function newsOf(context: HarnessContext, planId: string, after: number): Promise<News> {
  const { owner } = context
  const since = { owner, versions: 'all', ...(after > 0 && { after }) } as const
  const steps = await versions(context, { ...since, parent: planId, concepts: [stepConcept.name] })
  const observed = await versions(context, { ...since, related: { field: 'planId', to: planId } })
  return { starts: steps.filter(({ provenanceMutation }) => provenanceMutation === 'startHarnessStep'), observed }
}

/** With the news between what is in it and `upTo`. */
function foldOf({ settled, starts, observed }: Folded, news: News, upTo: number): Folded {
  const isNew = ({ seq }: Node): boolean => seq > settled && seq <= upTo
  return {
    settled: Math.max(settled, upTo),
    starts: [...starts, ...news.starts.filter(isNew).map(({ seq }) => seq)],
    observed: news.observed
      .filter(isNew)
      .map(({ payload }) => observationUsage(payload))
      .reduce(addUsage, observed),
  }
}

function keep(plans: Map<string, Folded>, key: string, fold: Folded): void {
  plans.delete(key)
  plans.set(key, fold)
  for (const oldest of plans.keys()) {
    if (plans.size <= mostPlans) return
    plans.delete(oldest)
  }
}

async function versions(
  { store }: HarnessContext,
  query: ScanQuery & { readonly versions: 'all' },
): Promise<readonly Node[]> {
  const nodes: Node[] = []
  let cursor: string | undefined
  do {
    const page = await store.log.scan({ limit: 10_000, ...query, ...(cursor === undefined ? {} : { cursor }) })
    nodes.push(...page.nodes)
    cursor = page.cursor
  } while (cursor !== undefined)
  return nodes
}

function wallClock({ payload: { startedAt } }: PlanHead, now: number): number {
  return startedAt === undefined ? 0 : Math.max(0, now - Date.parse(startedAt))
}
