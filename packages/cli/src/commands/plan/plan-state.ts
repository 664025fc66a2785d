/** How a plan stands: what is done, what each row that has not ended waits for, and what somebody can do about it. */
import { isPlanOver, type PlanHead, type StepHead, type Waiting } from '@agentm/harness'
import { type Head, scanAll, type Session } from '@agentm/nodes'
import type { PlansReader } from '@agentm/workspace/reader'
import { planConcept, stepConcept } from './find-row.ts'
import { kindsServed } from './kinds-served.ts'
import { startWorker, whatHelps } from './pure/what-helps.ts'
import { shortId } from './pure/short-id.ts'

export interface PlanState {
  readonly planId: string
  readonly goal: string
  readonly status: string
  readonly paused: boolean
  /** When it came to stand as it stands, in epoch milliseconds. */
  readonly since: number
  readonly errorMessage?: string
  /** Who paused it, and why; where it is paused. */
  readonly pausedBy?: { readonly actor?: string; readonly reason?: string }
  /** Where nothing of it is left to do but to end it, and nobody does. */
  readonly help?: string
  /** How many steps are in which status. */
  readonly steps: Readonly<Record<string, number>>
  readonly waiting: readonly WaitingRow[]
  readonly failed: readonly FailedRow[]
}

export interface WaitingRow extends Waiting {
  /** The process that runs it. */
  readonly runner?: Runner
  /** Its kind, where no live worker that would take it runs that. */
  readonly lacks?: string
  /** The command that helps, where nothing goes on by itself. */
  readonly help?: string
}

export interface Runner {
  readonly host: string
  readonly pid: string
}

/** Failed for good. */
export interface FailedRow {
  readonly stepId: string
  readonly title: string
  readonly errorMessage: string
  readonly deadLetter: boolean
  readonly help: string
}

/** What of an opened harness it takes to look. */
export type PlanSource = Pick<PlansReader, 'log' | 'work' | 'owner' | 'policy'> & {
  readonly harness: Pick<PlansReader['harness'], 'plan' | 'waiting'>
  /** Kinds that the process which looks is about to run itself. */
  readonly runsHere?: readonly string[]
}

export async function openPlanStates(source: PlanSource): Promise<readonly PlanState[]> {
  const { log, owner } = source
  const heads = await scanAll(log, { owner, concepts: [planConcept], status: ['open', 'running'] })
  return statesOf(source, heads.map(asPlan))
}

export async function planState(source: PlanSource, planId: string): Promise<PlanState> {
  const head = await source.harness.plan(planId)
  const [state] = await statesOf(source, [head])
  if (state === undefined) throw new TypeError('one plan has one state')
  return state
}

/** Newest first, ended ones too. */
export async function latestPlanStates(source: PlanSource, count: number): Promise<readonly PlanState[]> {
  const { log, owner } = source
  const { nodes } = await log.scan({ owner, concepts: [planConcept], order: 'newest', limit: count })
  return statesOf(source, nodes.map(asPlan))
}

async function statesOf(source: PlanSource, heads: readonly PlanHead[]): Promise<readonly PlanState[]> {
  const sessions = await source.work.sessions()
  const now = await source.work.now()
  const live = sessions.filter(({ leaseUntil }) => leaseUntil > now)
  const states: PlanState[] = []
  for (const head of heads) if (!head.redacted) states.push(await stateOf(source, head, { live, now }))
  return states
}

interface Moment {
  readonly live: readonly Session[]
  readonly now: number
}

async function stateOf(source: PlanSource, plan: PlanHead, { live, now }: Moment): Promise<PlanState> {
  const { work, owner, harness } = source
  const { goal, status, paused = false, errorMessage, actor, reason } = plan.payload
  const pausedBy = { ...(actor !== undefined && { actor }), ...(reason !== undefined && { reason }) }
  const runners = await runnersIn(source, plan.id)
  const served = await kindsServed(source, plan, live)
  const serving = source.runsHere === undefined ? served : [...served, source.runsHere]
  const rows = await harness.waiting(plan.id)
  const failed = await failedIn(source, plan.id, status)
  const isLeft = rows.length === 0 && failed.length === 0 && !isPlanOver(status) && serving.length === 0
  return {
    planId: plan.id,
    goal,
    status,
    paused,
    since: plan.createdAt,
    ...(errorMessage !== undefined && { errorMessage }),
    ...(paused && { pausedBy }),
    ...(isLeft && { help: startWorker }),
    steps: await work.tally(plan.id, { owner, concept: stepConcept }),
    waiting: rows.map((row) => {
      const runner = live.find(({ id }) => id === runners.get(row.stepId))
      return waitingRow(row, { paused, runner, serving, allowed: source.policy.kinds, now })
    }),
    failed,
  }
}

interface RowFacts {
  readonly paused: boolean
  readonly runner: Session | undefined
  readonly serving: readonly (readonly string[])[]
  readonly allowed: readonly string[]
  readonly now: number
}

function waitingRow(row: Waiting, { paused, runner, serving, allowed, now }: RowFacts): WaitingRow {
  const lacks = row.status === 'ready' && !paused && !serving.some((kinds) => kinds.includes(row.kind))
  const workers = serving.length
  const help = whatHelps(row, { paused, isRunnerLive: runner !== undefined, workers, lacks, allowed, now })
  const { facts } = runner ?? {}
  return {
    ...row,
    ...(lacks && { lacks: row.kind }),
    ...(lacks && (workers > 0 || !allowed.includes(row.kind)) && { waitsFor: `a worker that allows kind ${row.kind}` }),
    ...(facts && { runner: { host: facts['host'] ?? '', pid: facts['pid'] ?? '' } }),
    ...(help !== undefined && { help }),
  }
}

/** Sessions by the step they run. */
async function runnersIn({ log, owner }: PlanSource, planId: string): Promise<ReadonlyMap<string, string>> {
  const heads = await scanAll(log, { owner, parent: planId, concepts: [stepConcept], status: 'running' })
  return new Map(heads.flatMap(({ id, session }) => (session === undefined ? [] : [[id, session] as const])))
}

async function failedIn({ log, owner }: PlanSource, planId: string, status: string): Promise<readonly FailedRow[]> {
  const heads = await scanAll(log, { owner, parent: planId, concepts: [stepConcept], status: 'failed' })
  return heads
    .map(asStep)
    .filter(({ payload, redacted }) => !redacted && payload.retryAt === undefined)
    .map(({ id, payload }) => ({
      stepId: id,
      title: payload.title,
      errorMessage: payload.errorMessage ?? '',
      deadLetter: payload.deadLetter === true,
      // An end is final: what is left of an ended plan is planned anew.
      help: `agentm retry ${shortId(isPlanOver(status) ? planId : id)}`,
    }))
}

/** Heads of a concept hold what its schema let through. */
export function asPlan(head: Head): PlanHead {
  return head as PlanHead
}

export function asStep(head: Head): StepHead {
  return head as StepHead
}
