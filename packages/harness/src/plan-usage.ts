/**
 * What a plan and the plans its steps started have used so far, summed up from the log. The sum is cached, and only newer entries
 * are read. After a restart it is computed from the start of the log, so no usage is lost and all workers get the same sum.
 */
import { type Node, type NodeLog, type ScanQuery, scanAll } from '@agentm/nodes'
import { asPlan, type HarnessContext, type PlanHead } from './harness-context.ts'
import type { Spend } from '@agentm/agent-loop'
import { nothing, plus } from '@agentm/agent-loop/internal'
import { plan as planConcept } from './plan.ts'
import { addUsage, noUsage, type Usage } from './pure/budget-verdict.ts'
import { observationName, reservationName } from './pure/concept-names.ts'
import { isNoStart } from './pure/rate-limit-wait.ts'
import { observationUsage } from './pure/observation-usage.ts'
import type { SetAside, Spending } from './pure/reservation-verdict.ts'
import type { Reservation } from './reservation.ts'
import { type Step, step as stepConcept } from './step.ts'

export interface UsageOptions {
  readonly now: number
  /** Counts starts only up to this sequence number: this claim and earlier ones. */
  readonly upTo?: number
}

export interface PlanSpending extends Spending {
  /** The part of `spent` that was reserved for replies that nobody received: the most that the provider may have charged for them. */
  readonly lost: Spend
  /** What is reserved for replies that running steps wait for. */
  readonly underWay: Spend
  /** All entries up to this sequence number are included. */
  readonly settled: number
}

type Kept = SetAside & Pick<Reservation, 'fence' | 'status'>

/** For one plan, without the plans that its steps started. */
interface Folded {
  /** All entries up to this sequence number are included, and no earlier entry can still appear. */
  readonly settled: number
  /** The starts, each with its sequence number and its step. */
  readonly starts: readonly Start[]
  readonly observed: Usage
  /** The newest version of each step. */
  readonly steps: ReadonlyMap<string, number>
  /** Open reservations, by id. */
  readonly reservations: ReadonlyMap<string, Kept>
  /** What was reserved for replies that nobody received, if the step has reserved anew since. */
  readonly lost: Spend
}

interface Start {
  readonly stepId: string
  readonly seq: number
}

const nothingYet: Folded = {
  settled: 0,
  starts: [],
  observed: noUsage,
  steps: new Map(),
  reservations: new Map(),
  lost: nothing,
}
const mostPlans = 500
const known = new WeakMap<NodeLog, Map<string, Folded>>()

export async function planUsage(context: HarnessContext, plan: PlanHead, options: UsageOptions): Promise<Usage> {
  return (await planSpending(context, plan, options)).usage
}

/**
 * The most that a plan has used if it ends now: also what no observation has reported, and what may be charged for replies that nobody
 * receives any more.
 */
export async function planDrawn(context: HarnessContext, plan: PlanHead, options: UsageOptions): Promise<Usage> {
  const { usage, spent, underWay } = await planSpending(context, plan, options)
  const { tokens, costMicros } = plus(spent, underWay)
  return addUsage(usage, { ...noUsage, tokens, costMicros })
}

/** The usage, with open reservations of running steps and spending that no observation has reported yet. */
export async function planSpending(
  context: HarnessContext,
  plan: PlanHead,
  options: UsageOptions,
): Promise<PlanSpending> {
  const { now, upTo = Infinity } = options
  const { store, owner } = context
  const { settled, fold } = await folded(context, plan.id)
  const steps = fold.starts.filter(({ seq }) => seq <= upTo).length
  const kept = [...fold.reservations.values()]
  const isAlive = ({ stepId, fence }: Kept): boolean => fence >= (fold.steps.get(stepId) ?? 0)
  const isLost = (each: Kept): boolean => each.status === 'lost' || (each.status === 'held' && !isAlive(each))
  const lost = sumOf(kept.filter(isLost).map(chargeable), fold.lost)
  const own: PlanSpending = {
    usage: { ...fold.observed, steps, wallClockMs: wallClock(plan, now) },
    spent: sumOf(
      kept.filter(({ status }) => status === 'spent').map(({ amount }) => amount),
      lost,
    ),
    held: kept.filter((each) => isOpen(each) && isAlive(each)),
    lost,
    underWay: sumOf(kept.filter((each) => each.status === 'held' && isAlive(each)).map(chargeable), nothing),
    settled,
  }
  const children = await scanAll(store.log, { owner, parent: plan.id, concepts: [planConcept.name] })
  let spending = own
  for (const child of children) spending = withChild(spending, await planSpending(context, asPlan(child), options))
  return spending
}

/** What a call has that was not made yet, or has not ended. */
function isOpen({ status }: Pick<Kept, 'status'>): boolean {
  return status === 'waits' || status === 'held'
}

function sumOf(amounts: readonly Spend[], from: Spend): Spend {
  return amounts.reduce(plus, from)
}

/** What a provider may charge for. A lost call of a tool is made again or looked into, and counts when that is known. */
function chargeable({ amount }: Pick<Kept, 'amount'>): Spend {
  return { ...amount, toolCalls: 0 }
}

function withChild(plan: PlanSpending, { usage, spent, held, lost, underWay, settled }: PlanSpending): PlanSpending {
  return {
    lost: plus(plan.lost, lost),
    underWay: plus(plan.underWay, underWay),
    usage: addUsage(plan.usage, { ...usage, wallClockMs: 0 }),
    spent: plus(plan.spent, spent),
    held: [...plan.held, ...held],
    settled: Math.min(plan.settled, settled),
  }
}

async function folded(
  context: HarnessContext,
  planId: string,
): Promise<{ readonly settled: number; readonly fold: Folded }> {
  const { store, owner } = context
  const plans = known.get(store.log) ?? new Map<string, Folded>()
  known.set(store.log, plans)
  const key = JSON.stringify([owner, planId])
  const before = plans.get(key) ?? nothingYet
  // The position is read first, because everything read afterwards includes at least all entries up to it.
  const settled = await store.log.position()
  const news = await newsOf(context, planId, before.settled)
  const kept = foldOf(before, news, settled)
  // Another call may have cached the same sum meanwhile. Then that one is kept, so that nothing is counted twice.
  if ((plans.get(key) ?? nothingYet) === before) keep(plans, key, kept)
  return { settled, fold: foldOf(kept, news, Infinity) }
}

/** The concepts of usage and of reservations. */
const booked = [observationName, reservationName]

/** What counts of a version, so that the versions of a large plan are not all in memory. */
interface News {
  readonly steps: readonly StepNews[]
  readonly observed: readonly (Observed | Booked)[]
}

interface StepNews extends Start {
  readonly version: number
  readonly does: 'start' | 'take-back' | 'other'
}

interface Observed {
  readonly seq: number
  readonly usage: Usage
}

/** `reservation` is absent if it was erased. */
interface Booked {
  readonly seq: number
  readonly id: string
  readonly reservation?: Pick<Reservation, 'stepId' | 'fence' | 'status' | 'amount'>
}

/**
 * Reads steps first. A worker that loses a step writes its last spending before the new version of the step, so both are read
 * together and nothing is missed.
 */
async function newsOf(context: HarnessContext, planId: string, after: number): Promise<News> {
  const { owner } = context
  const since = { owner, versions: 'all', ...(after > 0 && { after }) } as const
  const steps = await eachVersion(context, { ...since, parent: planId, concepts: [stepConcept.name] }, stepNews)
  const related = { field: 'planId', to: planId }
  const observed = await eachVersion(context, { ...since, related, concepts: booked }, observedNews)
  return { steps, observed }
}

function stepNews({ id, seq, version, payload, provenanceMutation }: Node): StepNews {
  return { stepId: id, seq, version, does: changeOf(provenanceMutation, payload as Step) }
}

/** A start that only led to a wait is not counted, because the step is started again after it. */
function changeOf(mutation: string, { waitsFor }: Step): StepNews['does'] {
  if (mutation === 'startHarnessStep') return 'start'
  return mutation === 'blockHarnessStep' && isNoStart(waitsFor) ? 'take-back' : 'other'
}

function observedNews({ id, seq, concept, redacted, payload }: Node): Observed | Booked {
  if (concept !== reservationName) return { seq, usage: observationUsage(payload) }
  const { stepId, fence, status, amount } = payload as Reservation
  return { seq, id, ...(!redacted && { reservation: { stepId, fence, status, amount } }) }
}

/** The sum, with the entries after it up to `upTo`. */
function foldOf(before: Folded, news: News, upTo: number): Folded {
  const { settled, starts, observed } = before
  const isNew = ({ seq }: { readonly seq: number }): boolean => seq > settled && seq <= upTo
  const [steps, told] = [news.steps.filter(isNew), news.observed.filter(isNew)]
  return {
    settled: Math.max(settled, upTo),
    starts: withSteps(starts, steps),
    observed: told.map((each) => ('usage' in each ? each.usage : noUsage)).reduce(addUsage, observed),
    steps:
      steps.length === 0
        ? before.steps
        : new Map([...before.steps, ...steps.map(({ stepId, version }) => [stepId, version] as const)]),
    ...withNews(
      before,
      told.filter((each) => 'id' in each),
    ),
  }
}

function withSteps(before: Folded['starts'], news: readonly StepNews[]): Folded['starts'] {
  if (news.every(({ does }) => does === 'other')) return before
  const starts = [...before]
  for (const { does, stepId, seq } of news)
    if (does === 'start') starts.push({ stepId, seq })
    else if (does === 'take-back') {
      const last = starts.findLastIndex((start) => start.stepId === stepId)
      if (last >= 0) starts.splice(last, 1)
    }
  return starts
}

function withNews(before: Folded, news: readonly Booked[]): Pick<Folded, 'reservations' | 'lost'> {
  let { lost } = before
  if (news.length === 0) return { reservations: before.reservations, lost }
  const reservations = new Map(before.reservations)
  for (const { id, seq, reservation } of news) {
    const prior = reservations.get(id)
    if (prior !== undefined && reservation !== undefined && isLeft(prior, reservation))
      lost = plus(lost, chargeable(prior))
    if (reservation === undefined || reservation.status === 'over') reservations.delete(id)
    else {
      const { stepId, fence, status, amount } = reservation
      // A call that waited keeps its place.
      const isSame = prior?.fence === fence && isOpen(prior) && isOpen({ status })
      reservations.set(id, { stepId, fence, status, amount, seq: isSame ? prior.seq : seq })
    }
  }
  return { reservations, lost }
}

/**
 * Whether a reply that broke off, or an earlier run, leaves the lane with a reply that this run does not know of: it was not received, or it was received and this
 * run begins a new conversation.
 */
function isLeft(prior: Kept, { fence, status }: Pick<Reservation, 'fence' | 'status'>): boolean {
  if (prior.status === 'lost') return true
  if (prior.fence >= fence) return false
  return prior.status === 'held' || (prior.status === 'spent' && (status === 'held' || status === 'waits'))
}

function keep(plans: Map<string, Folded>, key: string, fold: Folded): void {
  plans.delete(key)
  plans.set(key, fold)
  for (const oldest of plans.keys()) {
    if (plans.size <= mostPlans) return
    plans.delete(oldest)
  }
}

/** Page by page, so that no more than a page of whole versions is in memory. */
async function eachVersion<T>(
  { store }: HarnessContext,
  query: ScanQuery & { readonly versions: 'all' },
  take: (node: Node) => T,
): Promise<readonly T[]> {
  const taken: T[] = []
  let cursor: string | undefined
  do {
    const page = await store.log.scan({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    for (const node of page.nodes) taken.push(take(node))
    cursor = page.cursor
  } while (cursor !== undefined)
  return taken
}

function wallClock({ payload: { startedAt } }: PlanHead, now: number): number {
  return startedAt === undefined ? 0 : Math.max(0, now - Date.parse(startedAt))
}
