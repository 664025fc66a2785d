import { type Environment, type TelemetrySettings, telemetrySettings } from './pure/telemetry-settings.ts'
import type { Telemetry } from './telemetry.ts'

/** Options of `openTelemetry`. */
export interface OpenOptions {
  /** Where the `OTEL_*` variables come from (default: the environment of this process). */
  readonly env?: Environment
  /** The version of your program, for `service.version`. */
  readonly version?: string
  /** Told once if nothing can be sent, such as when no collector answers. */
  readonly onFailure?: (why: string) => void
  /** Whether `metricsText` is wanted, whatever the environment says (default: false). */
  readonly pull?: boolean
}

/** Telemetry with an OpenTelemetry SDK of its own, as the environment says. */
export interface OpenedTelemetry extends Telemetry {
  /** What the environment asks for and cannot be done, one sentence each. */
  readonly problems: readonly string[]
  /** All metrics in the text format of Prometheus. Empty without `pull`. */
  metricsText(): Promise<string>
  /** Sends what was not sent yet, and ends the exporters. An unreachable collector is waited for no longer than `withinMs` (default: 5 seconds). */
  close(withinMs?: number): Promise<void>
}

/**
 * Starts the OpenTelemetry SDK as the standard `OTEL_*` variables ask for, and registers it for the whole process. `undefined` if they ask
 * for nothing: then nothing of the SDK is loaded.
 *
 * @example
 * ```ts
 * import { openTelemetry } from '@agentm/telemetry'
 *
 * console.log(await openTelemetry({ env: {} })) // undefined
 * const telemetry = await openTelemetry({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' } })
 * await telemetry?.close()
 * ```
 */
export async function openTelemetry(options: OpenOptions = {}): Promise<OpenedTelemetry | undefined> {
  const { env = process.env, pull = false } = options
  const settings = telemetrySettings(env)
  if (!isWanted(settings) && !pull) return undefined
  const { startSdk } = await import('./start-sdk.ts')
  return startSdk(settings, { ...options, env })
}

function isWanted({ traces, metrics, problems }: TelemetrySettings): boolean {
  return traces !== undefined || metrics !== undefined || problems.length > 0
}
