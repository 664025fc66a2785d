/**
 * Whether a call fits into a budget, given the reservations of other steps. Reservations are served in the order of the log, so the
 * first one never waits, and no two wait for each other.
 */
import type { Budget } from '../plan.ts'
import type { Spend } from '@agentm/agent-loop'
import { minus, nothing, plus } from '@agentm/agent-loop/internal'
import { addUsage, type BudgetLimit, findOverrun, noUsage, type Overrun, type Usage } from './budget-verdict.ts'

export interface SetAside {
  readonly stepId: string
  /** Its sequence number in the log; `Infinity` if it needs no reservation. */
  readonly seq: number
  readonly amount: Spend
}

export interface Spending {
  readonly usage: Usage
  /** What finished calls used that is not part of the usage yet. */
  readonly spent: Spend
  readonly held: readonly SetAside[]
}

export type ReservationVerdict =
  | { readonly is: 'granted' }
  /** It exceeds the budget even without other reservations. */
  | { readonly is: 'refused'; readonly overrun: Overrun }
  /** It does not fit beside these reservations, which may turn out smaller. */
  | { readonly is: 'waits'; readonly overrun: Overrun; readonly others: readonly SetAside[] }

/**
 * `kin` are steps whose reservations are ignored. One is the step itself, because its other calls are reported only after this one.
 * The others are the steps that started its plan, because they wait for it.
 */
export function reservationVerdict(
  own: SetAside,
  { usage, spent, held }: Spending,
  { budget, kin }: { readonly budget: Budget; readonly kin: ReadonlySet<string> },
): ReservationVerdict {
  const before = held.filter(({ seq }) => seq < own.seq)
  const certain = sum([spent, ...before.filter(({ stepId }) => kin.has(stepId)).map(({ amount }) => amount)])
  const others = before.filter(({ stepId }) => !kin.has(stepId))
  const refusal = overrunOf(budget, usage, plus(certain, allButOne(own.amount)))
  if (refusal !== undefined) return { is: 'refused', overrun: refusal }
  const beside = wanted(sum(others.map(({ amount }) => amount)), own.amount)
  const overrun = overrunOf(budget, usage, plus(plus(certain, beside), allButOne(own.amount)))
  if (overrun === undefined) return { is: 'granted' }
  const resource = resources[overrun.limit]
  return {
    is: 'waits',
    overrun,
    others: others.filter(({ amount }) => resource !== undefined && amount[resource] > 0),
  }
}

/** Whether the budget limits any of these amounts. */
export function isLimited(budget: Budget | undefined, { tokens, toolCalls, costMicros }: Spend): boolean {
  const { maxTokens = 0, maxToolCalls = 0, maxCostMicros = 0 } = budget ?? {}
  return (maxTokens > 0 && tokens > 0) || (maxToolCalls > 0 && toolCalls > 0) || (maxCostMicros > 0 && costMicros > 0)
}

const resources: Readonly<Partial<Record<BudgetLimit, keyof Spend>>> = {
  max_tokens: 'tokens',
  max_tool_calls: 'toolCalls',
  max_cost: 'costMicros',
}

/** A claim beyond the limit is counted until it is handed back. Steps that were allowed to start may go on. */
function overrunOf(budget: Budget, usage: Usage, more: Spend): Overrun | undefined {
  return findOverrun(budget, { ...addUsage(usage, { ...noUsage, ...more }), steps: 0 }, { start: false })
}

/** A budget counts as used up when it is reached. The last call may reach it, so one less is compared. */
function allButOne(amount: Spend): Spend {
  return minus(amount, wanted({ tokens: 1, toolCalls: 1, costMicros: 1 }, amount))
}

/** Only limits on amounts that the call uses matter to it. */
function wanted({ tokens, toolCalls, costMicros }: Spend, by: Spend): Spend {
  return {
    tokens: by.tokens > 0 ? tokens : 0,
    toolCalls: by.toolCalls > 0 ? toolCalls : 0,
    costMicros: by.costMicros > 0 ? costMicros : 0,
  }
}

function sum(amounts: readonly Spend[]): Spend {
  return amounts.reduce(plus, nothing)
}
