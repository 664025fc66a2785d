/**
 * What one reply of a model may cost. It is reserved before the model is asked, and anew before it is asked again, because the provider
 * may charge for a reply that broke off. What was reserved for such a reply stays counted against the limits, unless the model says what
 * it used.
 */
import type { LoopBudget, Reservation } from './budget.ts'
import type { Model, ModelReply, ModelRequest, TokenUsage } from './model.ts'
import { mayBeCharged, usageOf } from './pure/broken-reply.ts'
import { type Price, replyReserve, type ReplyText, replySpend } from './pure/reply-spend.ts'
import { nothing, plus, type Spend } from './pure/reserve.ts'

export interface ReplyAccountOptions {
  readonly budget: LoopBudget
  /** The most that the reply may take. */
  readonly most: TokenUsage
  readonly price: Price | undefined
  /** What was spent before this reply. */
  readonly before: Spend
  /** Called with what a reply used. */
  readonly onSpent: (spent: Spend) => Promise<void> | void
  /** Called when a reply broke off, with what it may cost beside what it is known to have used. */
  readonly onBroken?: (why: string, lost: Spend) => Promise<void> | void
}

/** One attempt. Once the next one has begun, or the account is closed, nothing of it counts any more. */
export interface ReplyAttempt {
  ask(model: Pick<Model, 'respond'>, request: ModelRequest): Promise<ModelReply>
  /** Counts the reply that has arrived. */
  received(reply: ReplyText): Promise<void>
}

interface Held {
  readonly reservation: Reservation & { readonly granted: true }
  readonly amount: Spend
}

export class ReplyAccount {
  readonly #options: ReplyAccountOptions
  #held: Held | undefined
  /** Whether the model was asked within the reservation. */
  #isAsked = false
  /** Why there is no reply, as far as it is known. */
  #failure: { readonly error: unknown } | undefined
  #attempt = 0
  #spent = nothing
  #limit: string | undefined

  constructor(options: ReplyAccountOptions) {
    this.#options = options
  }

  /** The limit that allowed no reply, or no other one. */
  get limit(): string | undefined {
    return this.#limit
  }

  /** Reserves what the reply may cost. `undefined` if the budget does not allow it. */
  async begin(): Promise<ReplyAttempt | undefined> {
    this.#attempt += 1
    const attempt = this.#attempt
    return (await this.#renewed(attempt)) ? this.#attemptOf(() => attempt !== this.#attempt, attempt) : undefined
  }

  /**
   * Ends the account of a reply that broke off. If the work was aborted, what was reserved for the reply stays reserved: whoever keeps the
   * budget counts it as lost.
   */
  async close({ aborted }: { readonly aborted: boolean }): Promise<void> {
    this.#attempt += 1
    if (aborted) return
    await this.#endBroken()
    if (this.#held !== undefined) await this.#settle(this.#held, nothing)
  }

  #attemptOf(isOver: () => boolean, attempt: number): ReplyAttempt {
    const failed = (error: unknown): void => {
      if (!isOver()) this.#failure = { error }
    }
    const mayAskAgain = async (error: unknown): Promise<boolean> => {
      failed(error)
      const mayAsk = !isOver() && (await this.#renewed(attempt))
      if (mayAsk) this.#isAsked = true
      return mayAsk
    }
    return {
      ask: async (model, request) => {
        if (!isOver()) this.#isAsked = true
        try {
          return await model.respond({ ...request, mayAskAgain })
        } catch (error) {
          failed(error)
          throw error
        }
      },
      received: async (reply) => {
        if (isOver() || this.#held === undefined) return
        const { most, price } = this.#options
        await this.#settle(this.#held, replySpend(reply, { estimate: most.inputTokens, price }))
      },
    }
  }

  /** Whether there is a reservation for the next reply: a new one, or that of a request for which nobody charges. */
  async #renewed(attempt: number): Promise<boolean> {
    await this.#endBroken()
    if (this.#held !== undefined) return true
    const { budget, most, price, before } = this.#options
    const amount = replyReserve(most, { price, spent: plus(before, this.#spent) })
    const reservation = await budget.reserve(amount)
    this.#limit = reservation.granted ? undefined : reservation.limit
    if (!reservation.granted) return false
    // The attempt may have run into its timeout while it waited for room in the budget.
    const isOver = attempt !== this.#attempt
    if (isOver) await reservation.settle(nothing)
    else this.#held = { reservation, amount }
    return !isOver
  }

  /** A reply without a known failure ran into its timeout, so it may be charged. */
  async #endBroken(): Promise<void> {
    const [held, failure, isAsked] = [this.#held, this.#failure, this.#isAsked]
    this.#failure = undefined
    this.#isAsked = false
    if (held === undefined || !isAsked || (failure !== undefined && !mayBeCharged(failure.error))) return
    const { price, onBroken } = this.#options
    const usage = usageOf(failure?.error)
    if (usage === undefined) await this.#lose(held)
    else await this.#settle(held, replySpend({ text: '', calls: [], usage }, { estimate: 0, price }))
    const why = failure === undefined ? 'it took too long' : messageOf(failure.error)
    await onBroken?.(why, usage === undefined ? held.amount : nothing)
  }

  async #lose({ reservation }: Held): Promise<void> {
    this.#held = undefined
    await reservation.lose()
  }

  async #settle({ reservation }: Held, spent: Spend): Promise<void> {
    this.#held = undefined
    this.#failure = undefined
    this.#isAsked = false
    this.#spent = plus(this.#spent, spent)
    await reservation.settle(spent)
    await this.#options.onSpent(spent)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
