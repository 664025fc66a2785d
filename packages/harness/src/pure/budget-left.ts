/** What is left of a budget, for a call that can be given a limit of its own. */
import type { Spend } from '@agentm/agent-loop'
import type { Budget } from '../plan.ts'
import type { Spending } from './reservation-verdict.ts'

/** A limit that is absent or 0 does not apply. */
export function leftOf(budget: Budget, { usage, spent }: Pick<Spending, 'usage' | 'spent'>): Partial<Spend> {
  const limits = { tokens: budget.maxTokens, toolCalls: budget.maxToolCalls, costMicros: budget.maxCostMicros }
  return Object.fromEntries(
    amounts.flatMap((amount) => {
      const limit = limits[amount] ?? 0
      return limit > 0 ? [[amount, Math.max(0, limit - usage[amount] - spent[amount])]] : []
    }),
  )
}

export function leastLeft(a: Partial<Spend>, b: Partial<Spend>): Partial<Spend> {
  const least = (amount: keyof Spend): Partial<Spend> => {
    const known = [a[amount], b[amount]].filter((each) => each !== undefined)
    return known.length === 0 ? {} : { [amount]: Math.min(...known) }
  }
  return { ...least('tokens'), ...least('toolCalls'), ...least('costMicros') }
}

const amounts: readonly (keyof Spend)[] = ['tokens', 'toolCalls', 'costMicros']
