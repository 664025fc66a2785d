/**
 * What a loop may spend. It is asked before each call, because a check after the call would come too late. If several loops share a
 * budget, the program that starts them provides it.
 */
import { emptyPurse, type Purse, reserve, settle, type Spend, type SpendLimits } from './pure/reserve.ts'

/**
 * Reserved until it is settled with what the call really used. `lose` is for a reply that broke off: the provider may charge for it, so
 * its amount stays counted against the limits for good. A refusal names the limit.
 */
export type Reservation =
  | { readonly granted: true; settle(actual: Spend): Promise<void>; lose(): Promise<void> }
  | { readonly granted: false; readonly limit: string }

/** What a loop may still spend. It is asked before each call, so that a limit is never passed. */
export interface LoopBudget {
  reserve(amount: Spend): Promise<Reservation>
}

/**
 * A budget for one loop, kept in memory.
 *
 * @example
 * ```ts
 * import { createBudget } from '@agentm/agent-loop'
 *
 * const budget = createBudget({ toolCalls: 5, tokens: 100_000 })
 * ```
 */
export function createBudget(limits: SpendLimits, spent: Spend = emptyPurse.spent): LoopBudget {
  let purse: Purse = { ...emptyPurse, spent }
  return {
    async reserve(amount) {
      const next = reserve(purse, amount, limits)
      if (typeof next === 'string') return { granted: false, limit: next }
      purse = next
      return {
        granted: true,
        async settle(actual) {
          purse = settle(purse, amount, actual)
        },
        async lose() {
          purse = settle(purse, amount, amount)
        },
      }
    },
  }
}
