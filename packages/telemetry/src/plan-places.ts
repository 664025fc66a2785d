import { planPlace, type SpanPlace } from './pure/span-ids.ts'

/** Where the span of a plan is, and whether the plan is traced at all. */
export interface PlanPlace extends SpanPlace {
  readonly isTraced: boolean
}

/** Worked out once for each plan that this process works on. */
export class PlanPlaces {
  readonly #isTraced: (traceId: string) => boolean
  /** By owner, then by plan: a key made of both would be a new text for each question. */
  readonly #known = new Map<string, Map<string, PlanPlace>>()

  constructor(isTraced: (traceId: string) => boolean) {
    this.#isTraced = isTraced
  }

  of(owner: string, planId: string): PlanPlace {
    return this.#known.get(owner)?.get(planId) ?? this.#make(owner, planId)
  }

  #make(owner: string, planId: string): PlanPlace {
    const place = planPlace(owner, planId)
    const made = { ...place, isTraced: this.#isTraced(place.traceId) }
    const plans = this.#known.get(owner) ?? new Map<string, PlanPlace>()
    if (plans.size >= most) plans.clear()
    this.#known.set(owner, plans.set(planId, made))
    return made
  }
}

/** More plans of an owner than one process works on at a time. */
const most = 2000
