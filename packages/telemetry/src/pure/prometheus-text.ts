/**
 * Collected metrics in the text format of Prometheus. Units and `_total` are part of the names, as the OpenTelemetry specification asks
 * for: so a metric has one name, whether Prometheus reads it here or from a collector.
 */
import type { MetricRow } from './metric-table.ts'

/** What a metrics SDK collected of one metric. */
export interface CollectedMetric {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly points: readonly CollectedPoint[]
}

export interface CollectedPoint {
  readonly labels: Labels
  readonly value: number | CollectedBuckets
}

export interface CollectedBuckets {
  readonly count: number
  readonly sum: number
  readonly limits: readonly number[]
  /** One more than there are limits. */
  readonly counts: readonly number[]
}

type Labels = Readonly<Record<string, unknown>>

export function prometheusText(metrics: readonly CollectedMetric[]): string {
  return metrics.map(blockOf).join('')
}

/**
 * The name under which Prometheus knows a metric. A histogram adds `_bucket`, `_sum` and `_count`.
 *
 * @example
 * ```ts
 * import { metricTable, prometheusName } from '@agentm/telemetry/metrics'
 *
 * console.log(prometheusName(metricTable.attempts)) // agentm_step_duration_seconds
 * ```
 */
export function prometheusName({ name, unit, kind }: Pick<MetricRow, 'name' | 'unit' | 'kind'>): string {
  const bare = name.replaceAll(/[^a-zA-Z0-9_:]/g, '_')
  const suffix = unit === 's' ? '_seconds' : unit === 'By' ? '_bytes' : ''
  return `${bare}${suffix}${kind === 'counter' ? '_total' : ''}`
}

function blockOf({ name, unit, description, type, points }: CollectedMetric): string {
  const shown = prometheusName({ name, unit, kind: type })
  const lines = points.flatMap(({ labels, value }) =>
    typeof value === 'number' ? [line(shown, labels, value)] : bucketLines(shown, labels, value),
  )
  return `# HELP ${shown} ${escaped(description)}\n# TYPE ${shown} ${type}\n${lines.join('')}`
}

function bucketLines(
  name: string,
  labels: Labels,
  { count, sum, limits, counts }: CollectedBuckets,
): readonly string[] {
  let below = 0
  const buckets = limits.map((limit, i) => {
    below += counts[i] ?? 0
    return line(`${name}_bucket`, { ...labels, le: `${limit}` }, below)
  })
  const last = line(`${name}_bucket`, { ...labels, le: '+Inf' }, count)
  return [...buckets, last, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)]
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, each]) => `${labelName(key)}="${escaped(textOf(each), '"')}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
}

function labelName(key: string): string {
  return key.replaceAll(/[^a-zA-Z0-9_]/g, '_')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

function escaped(text: string, quote = ''): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return quote === '' ? safe : safe.replaceAll(quote, `\\${quote}`)
}
