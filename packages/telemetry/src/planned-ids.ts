import { randomBytes } from 'node:crypto'
import type { SpanPlace } from './pure/span-ids.ts'

/** Makes the ids of spans: the one that was planned for the next span, else a random one. */
export class PlannedIds {
  #planned: SpanPlace | undefined
  /** Whether a provider takes its ids from here. */
  isInUse = false

  generateTraceId(): string {
    return this.#planned?.traceId ?? randomBytes(16).toString('hex')
  }

  generateSpanId(): string {
    this.isInUse = true
    return this.#planned?.spanId ?? randomBytes(8).toString('hex')
  }

  /** `start` starts one span, which gets this id. */
  at<T>(place: SpanPlace, start: () => T): T {
    this.#planned = place
    try {
      return start()
    } finally {
      this.#planned = undefined
    }
  }
}

/**
 * The id generator for a tracer provider of your own: `new TracerProvider({ idGenerator: planIds })`. With it, the spans of plans, steps
 * and attempts have the same ids in every process; other spans get random ids.
 *
 * @example
 * ```ts
 * import { planIds } from '@agentm/telemetry'
 *
 * console.log(planIds.generateTraceId().length, planIds.generateSpanId().length) // 32 16
 * ```
 */
export const planIds = new PlannedIds()
