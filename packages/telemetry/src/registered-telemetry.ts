import { metrics, trace } from './otel-api.ts'
import type { Telemetry } from './telemetry.ts'
import { telemetryOver } from './telemetry-over.ts'

/**
 * Telemetry through the providers that your program registered with the OpenTelemetry API. Register them first. Give your tracer provider
 * the id generator `planIds`, so that a plan is one tree over all processes.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts } from '@agentm/harness'
 * import { registeredTelemetry } from '@agentm/telemetry'
 *
 * const telemetry = registeredTelemetry()
 * const store = telemetry.store(createInMemoryStore({ concepts: harnessConcepts }), { owners: ['ada'] })
 * await store.close()
 * ```
 */
export function registeredTelemetry({ content = false }: RegisteredOptions = {}): Telemetry {
  const [traces, meters] = [trace.getTracerProvider(), metrics.getMeterProvider()]
  return telemetryOver({ traces, isTraced: () => true, meters, content })
}

/** Options of `registeredTelemetry`. */
export interface RegisteredOptions {
  /** Whether the texts of prompts, replies, arguments, results and errors are exported, too (default: false). */
  readonly content?: boolean
}
