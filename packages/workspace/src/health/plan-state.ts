/** The state of a plan: how many steps are done, what each unfinished step waits for, and the command that helps. */
import { isPlanOver, type PlanHead, type PlanStanding, type StepHead, type Waiting } from '@agentm/harness'
import type { Session } from '@agentm/nodes'
import type { PlansReader } from '../open-plans-reader.ts'
import { resumePlan, startWorker, whatHelps } from './pure/what-helps.ts'
import { shortId } from './pure/short-id.ts'
import type { ShownReason } from './pure/wait-text.ts'

export interface PlanState {
  readonly planId: string
  readonly goal: string
  readonly status: string
  readonly paused: boolean
  /** When it got its present status, in epoch milliseconds. */
  readonly since: number
  readonly errorMessage?: string
  /** Who paused it, and why; only if it is paused. */
  readonly pausedBy?: { readonly actor?: string; readonly reason?: string }
  /** The command that helps if the plan is paused, or if all steps have ended but no worker is there to end the plan. */
  readonly help?: string
  /** The number of steps in each status. */
  readonly steps: Readonly<Record<string, number>>
  readonly waiting: readonly WaitingRow[]
  /** The most that may have been charged for replies that did not arrive. */
  readonly lost?: NonNullable<PlanStanding['lost']>
  readonly failed: readonly FailedRow[]
}

export interface WaitingRow extends Omit<Waiting, 'waitsFor'> {
  readonly waitsFor: ShownReason
  /** The process that runs it. */
  readonly runner?: Runner
  /** Its kind, if no live worker that could take it runs that kind. */
  readonly lacks?: string
  /** What its agent keeps as its list of what is to be done. */
  readonly todo?: Todo
  /** The command that helps, if it does not continue by itself. */
  readonly help?: string
}

export type Todo = NonNullable<PlanStanding['waiting'][number]['todo']>

export interface Runner {
  readonly host: string
  readonly pid: string
}

/** A permanently failed step. */
export interface FailedRow {
  readonly stepId: string
  readonly title: string
  readonly errorMessage: string
  readonly deadLetter: boolean
  readonly help: string
}

/** What is needed to read the state. */
export interface PlanSource extends Pick<PlansReader, 'policy'> {
  readonly harness: Pick<PlansReader['harness'], 'status' | 'statuses'>
  /** Step kinds that this process is about to run itself. */
  readonly runsHere?: readonly string[]
}

export async function openPlanStates(source: PlanSource): Promise<readonly PlanState[]> {
  return (await source.harness.statuses()).map((standing) => stateOf(source, standing))
}

export async function planState(source: PlanSource, planId: string): Promise<PlanState> {
  return stateOf(source, await source.harness.status(planId))
}

/** The newest plans first, including those that have ended. */
export async function latestPlanStates(source: PlanSource, newest: number): Promise<readonly PlanState[]> {
  return (await source.harness.statuses({ newest })).map((standing) => stateOf(source, standing))
}

function stateOf(source: PlanSource, standing: PlanStanding): PlanState {
  const { plan, steps, waiting: rows, lost, served, now } = standing
  const { goal, status, paused = false, errorMessage, actor, reason } = plan.payload
  const pausedBy = { ...(actor !== undefined && { actor }), ...(reason !== undefined && { reason }) }
  const serving = source.runsHere === undefined ? served : [...served, source.runsHere]
  const failed = standing.failed.map((step) => failedRow(step, plan))
  const isLeft = rows.length === 0 && failed.length === 0 && !isPlanOver(status) && serving.length === 0
  return {
    planId: plan.id,
    goal,
    status,
    paused,
    since: plan.createdAt,
    ...(errorMessage !== undefined && { errorMessage }),
    ...(paused && { pausedBy }),
    ...((paused || isLeft) && { help: paused ? resumePlan(plan.id) : startWorker }),
    steps,
    waiting: rows.map(({ runner, todo, ...row }) => ({
      ...waitingRow(row, { paused, runner, serving, allowed: source.policy.kinds, now }),
      ...(todo && { todo }),
    })),
    ...(lost && { lost }),
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
    ...(row.status === 'running' && runner === undefined && { waitsFor: { for: 'takeover' } as const }),
    ...(lacks && { lacks: row.kind }),
    ...(lacks &&
      (workers > 0 || !allowed.includes(row.kind)) && { waitsFor: { for: 'kind', kind: row.kind } as const }),
    ...(facts && { runner: { host: facts['host'] ?? '', pid: facts['pid'] ?? '' } }),
    ...(help !== undefined && { help }),
  }
}

function failedRow({ id, payload }: StepHead, plan: PlanHead): FailedRow {
  return {
    stepId: id,
    title: payload.title,
    errorMessage: payload.errorMessage ?? '',
    deadLetter: payload.deadLetter === true,
    // A plan that has ended never changes: its unfinished steps become a new plan.
    help: `agentm retry ${shortId(isPlanOver(plan.payload.status) ? plan.id : id)}`,
  }
}
