/** Whether a plan has used up its budget. Usage is computed from the log; nothing here is counted in memory. */
import type { Budget } from '../plan.ts'

/** What a plan has used so far, counted from the log. */
export interface Usage {
  /** How often steps were started, retries included. */
  readonly steps: number
  readonly toolCalls: number
  readonly tokens: number
  readonly costMicros: number
  /** Counted from the plan's first claim. */
  readonly wallClockMs: number
}

export const budgetLimits = ['max_steps', 'max_tool_calls', 'max_tokens', 'max_wall_clock', 'max_cost'] as const

export type BudgetLimit = (typeof budgetLimits)[number]

export interface Overrun {
  readonly limit: BudgetLimit
  readonly used: number
  readonly allowed: number
}

export const noUsage: Usage = { steps: 0, toolCalls: 0, tokens: 0, costMicros: 0, wallClockMs: 0 }

/**
 * The first limit that is reached. The step limit takes effect only when another step would start: the last allowed step may
 * finish.
 */
export function findOverrun(
  budget: Budget | undefined,
  usage: Usage,
  wants: { readonly start: boolean },
): Overrun | undefined {
  if (budget === undefined) return undefined
  const limits: readonly [BudgetLimit, number, number | undefined][] = [
    ['max_steps', wants.start ? usage.steps + 1 : usage.steps, above(budget.maxSteps)],
    ['max_tool_calls', usage.toolCalls, budget.maxToolCalls],
    ['max_tokens', usage.tokens, budget.maxTokens],
    ['max_wall_clock', usage.wallClockMs, budget.maxWallClockMs],
    ['max_cost', usage.costMicros, budget.maxCostMicros],
  ]
  for (const [limit, used, allowed] of limits)
    if (allowed !== undefined && allowed > 0 && used >= allowed)
      return limit === 'max_steps' ? { limit, used: usage.steps, allowed: allowed - 1 } : { limit, used, allowed }
  return undefined
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    steps: a.steps + b.steps,
    toolCalls: a.toolCalls + b.toolCalls,
    tokens: a.tokens + b.tokens,
    costMicros: a.costMicros + b.costMicros,
    wallClockMs: Math.max(a.wallClockMs, b.wallClockMs),
  }
}

export function describeOverrun({ limit, used, allowed }: Overrun): string {
  return `stopped at ${limit}: ${used} used of ${allowed}`
}

/** The limit is exceeded when one more step than allowed would start. The last allowed step may start. */
function above(maxSteps: number | undefined): number | undefined {
  return maxSteps === undefined ? undefined : maxSteps + 1
}
