/** The budget of the next plan for a goal: the rest of the previous plan's budget. */
import type { Budget, Usage } from '@agentm/harness'

/** `undefined` if no limit was set; `nothing` if one of the limits is used up. */
export function budgetLeft(budget: Budget | undefined, used: Usage): Budget | 'nothing' | undefined {
  if (budget === undefined) return undefined
  const left: Budget = {
    ...limited('maxSteps', budget.maxSteps, used.steps),
    ...limited('maxToolCalls', budget.maxToolCalls, used.toolCalls),
    ...limited('maxTokens', budget.maxTokens, used.tokens),
    ...limited('maxWallClockMs', budget.maxWallClockMs, used.wallClockMs),
    ...limited('maxCostMicros', budget.maxCostMicros, used.costMicros),
  }
  return Object.values(left).some((limit) => limit !== undefined && limit <= 0) ? 'nothing' : left
}

function limited<K extends keyof Budget>(name: K, limit: number | undefined, used: number): Partial<Record<K, number>> {
  return limit === undefined ? {} : ({ [name]: limit - used } as Partial<Record<K, number>>)
}
