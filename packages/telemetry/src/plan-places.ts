import { planPlace, type SpanPlace } from './pure/span-ids.ts'

/** Where the span of a plan is, and whether the plan is traced at all. */
export interface PlanPlace extends SpanPlace {
  readonly isTraced: boolean
}

/** Worked out once for each plan that this process works on. */
export class PlanPlaces {
  readonly #isTraced: (traceId: string) => boolean
  readonly #known = new Map<string, PlanPlace>()

  constructor(isTraced: (traceId: string) => boolean) {
    this.#isTraced = isTraced
  }

  of(owner: string, planId: string): PlanPlace {
    const key = `${owner}\n${planId}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const place = planPlace(owner, planId)
    const made = { ...place, isTraced: this.#isTraced(place.traceId) }
    if (this.#known.size >= most) this.#known.clear()
    this.#known.set(key, made)
    return made
  }
}

/** More plans than one process works on at a time. */
const most = 2000
