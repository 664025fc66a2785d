/**
 * The budgets of a step's plan and of those above, for its inner loop. The log knows what was spent; what is set aside, or was
 * spent and is not in the log yet, is added to that, so that calls side by side cannot share one place.
 */
import type { Budget, Reservation } from '../inner-loop/budget.ts'
import type { LoopObservation } from '../inner-loop/loop-observation.ts'
import { minus, nothing, plus, type Spend } from '../inner-loop/pure/reserve.ts'
import { observationUsage } from '../pure/observation-usage.ts'
import type { StepRun } from '../step-kind.ts'

export class PlanBudget implements Budget {
  readonly #run: Pick<StepRun, 'overrun'>
  #pending: Spend
  /** One question at a time: two that ask for the last place at once get one of them. */
  #asking: Promise<unknown> = Promise.resolve()

  /** `untold` was spent by an earlier run of the step, and is not in the log yet. */
  constructor(run: Pick<StepRun, 'overrun'>, untold: Spend = nothing) {
    this.#run = run
    this.#pending = untold
  }

  async reserve(amount: Spend): Promise<Reservation> {
    const turn = this.#asking.then(async () => this.#reserve(amount))
    this.#asking = turn.catch(() => undefined)
    return turn
  }

  async #reserve(amount: Spend): Promise<Reservation> {
    const wanted = plus(this.#pending, amount)
    const overrun = await this.#run.overrun(beyond(wanted, amount))
    if (overrun !== undefined) return { granted: false, limit: overrun.limit }
    this.#pending = plus(this.#pending, amount)
    return {
      granted: true,
      settle: async (actual) => {
        this.#pending = plus(minus(this.#pending, amount), actual)
      },
    }
  }

  /** From here on the log counts it. */
  logged({ kind, data }: LoopObservation): void {
    const { tokens, toolCalls, costMicros } = observationUsage({ kind, data })
    this.#pending = minus(this.#pending, { tokens, toolCalls, costMicros })
  }
}

/** A budget is used up when it is reached; the last call may reach it, so it asks for one less. */
function beyond(wanted: Spend, amount: Spend): Spend {
  return {
    tokens: Math.max(0, wanted.tokens - (amount.tokens > 0 ? 1 : 0)),
    toolCalls: Math.max(0, wanted.toolCalls - (amount.toolCalls > 0 ? 1 : 0)),
    costMicros: Math.max(0, wanted.costMicros - (amount.costMicros > 0 ? 1 : 0)),
  }
}
