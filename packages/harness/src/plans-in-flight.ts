/**
 * The plans that this process runs steps of, and those whose last running step has just ended here. Only the latter can have ended.
 * A step that only waits for its last write counts as running.
 */
import type { Claim } from './claim.ts'

export interface QuietPlan {
  readonly planId: string
  readonly owner: string
}

export class PlansInFlight {
  readonly #running = new Map<string, number>()
  readonly #quiet = new Map<string, QuietPlan>()

  add({ step: { payload } }: Claim): void {
    const { planId } = payload
    this.#running.set(planId, (this.#running.get(planId) ?? 0) + 1)
    this.#quiet.delete(planId)
  }

  remove({ step: { owner, payload } }: Claim): void {
    const { planId } = payload
    const left = (this.#running.get(planId) ?? 1) - 1
    if (left > 0) {
      this.#running.set(planId, left)
      return
    }
    this.#running.delete(planId)
    this.#quiet.set(planId, { planId, owner })
  }

  get quiet(): readonly QuietPlan[] {
    return this.#quiet.size === 0 ? none : [...this.#quiet.values()]
  }

  /** Those of the plans in which no step has started since. Each is returned once. */
  drawQuiet(plans: readonly QuietPlan[]): readonly QuietPlan[] {
    return plans.filter(({ planId }) => this.#quiet.delete(planId))
  }
}

const none: readonly QuietPlan[] = []
