/** What the standard `OTEL_*` variables ask for. */

export type Environment = Readonly<Record<string, string | undefined>>

/** How a signal is sent over OTLP. */
export type Protocol = 'http/protobuf' | 'http/json'

export interface TelemetrySettings {
  /** `undefined`: traces are not exported. */
  readonly traces: Protocol | undefined
  readonly metrics: Protocol | undefined
  /** Whether the texts of prompts, replies, arguments, results and errors are exported, too. */
  readonly content: boolean
  /** The part of all plans that is traced, from 0 to 1. */
  readonly ratio: number
  readonly metricIntervalMs: number
  readonly batch: BatchSettings
  /** The most characters of a text in a span; `undefined` for no limit. */
  readonly longestText: number | undefined
  /** What was asked for and cannot be done, one sentence each. */
  readonly problems: readonly string[]
}

export function telemetrySettings(env: Environment): TelemetrySettings {
  const isOff = env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true'
  const [traces, metrics] = isOff ? [none, none] : [signal(env, 'TRACES'), signal(env, 'METRICS')]
  return {
    traces: traces.protocol,
    metrics: metrics.protocol,
    content: env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.trim().toLowerCase() === 'true',
    ratio: sampledRatio(env),
    metricIntervalMs: numberIn(env, 'OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000,
    batch: {
      // A killed process loses what it has not sent, so it waits for less long than other programs.
      scheduledDelayMillis: numberIn(env, 'OTEL_BSP_SCHEDULE_DELAY') ?? 1000,
      exportTimeoutMillis: numberIn(env, 'OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
      maxQueueSize: numberIn(env, 'OTEL_BSP_MAX_QUEUE_SIZE') ?? 8192,
      maxExportBatchSize: numberIn(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512,
    },
    longestText:
      numberIn(env, 'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT') ?? numberIn(env, 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'),
    problems: [...new Set([...traces.problems, ...metrics.problems])],
  }
}

/** How spans are put together before they are sent. */
export interface BatchSettings {
  readonly scheduledDelayMillis: number
  readonly exportTimeoutMillis: number
  readonly maxQueueSize: number
  readonly maxExportBatchSize: number
}

interface Signal {
  readonly protocol: Protocol | undefined
  readonly problems: readonly string[]
}

const none: Signal = { protocol: undefined, problems: [] }

function signal(env: Environment, name: 'TRACES' | 'METRICS'): Signal {
  const wanted = `OTEL_${name}_EXPORTER`
  const exporters = listed(env[wanted])
  const hasEndpoint = [`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'].some((key) =>
    isSet(env, key),
  )
  if (exporters.length === 0 ? !hasEndpoint : exporters.includes('none')) return none
  if (exporters.length > 0 && !exporters.includes('otlp'))
    return unable(`${wanted}=${exporters.join(',')} is not supported. Set it to otlp or to none.`)
  const specific = `OTEL_EXPORTER_OTLP_${name}_PROTOCOL`
  const from = isSet(env, specific) ? specific : 'OTEL_EXPORTER_OTLP_PROTOCOL'
  const protocol = isSet(env, from) ? (env[from]?.trim() ?? '') : 'http/protobuf'
  if (protocol === 'http/protobuf' || protocol === 'http/json') return { protocol, problems: [] }
  return unable(
    `${from}=${protocol} is not supported. Set it to http/protobuf or http/json; the usual port is then 4318.`,
  )
}

function unable(problem: string): Signal {
  return { protocol: undefined, problems: [problem] }
}

/** Decided by the trace id alone, so all processes that work on a plan decide alike. */
function sampledRatio(env: Environment): number {
  const sampler = env['OTEL_TRACES_SAMPLER']?.trim() ?? ''
  if (sampler.endsWith('always_off')) return 0
  if (!sampler.endsWith('traceidratio')) return 1
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] ?? '1')
  return ratio >= 0 && ratio <= 1 ? ratio : 1
}

function listed(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
}

function numberIn(env: Environment, key: string): number | undefined {
  const number = Number(env[key]?.trim() || Number.NaN)
  return number >= 1 ? number : undefined
}

function isSet(env: Environment, key: string): boolean {
  return (env[key]?.trim() ?? '') !== ''
}
