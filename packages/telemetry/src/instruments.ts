/** The instruments of the metric table. Those of the queue are read when metrics are collected; see `queue-gauges.ts`. */
import type { Attributes, Meter } from './otel-api.ts'
import { type MetricRow, metricTable } from './pure/metric-table.ts'

/** Records one value; for counters, how much is added. */
export type Recorder = (value: number, labels?: Attributes) => void

type Recorded = { [Name in MetricName]: (typeof metricTable)[Name]['kind'] extends 'gauge' ? never : Name }[MetricName]
export type MetricName = keyof typeof metricTable
export type Instruments = Readonly<{ [Name in Recorded]: Recorder }>

export function instrumentsOf(meter: Meter): Instruments {
  const of = (row: MetricRow): Recorder => recorder(meter, row)
  return {
    claims: of(metricTable.claims),
    attempts: of(metricTable.attempts),
    retries: of(metricTable.retries),
    deadLetters: of(metricTable.deadLetters),
    plans: of(metricTable.plans),
    tokens: of(metricTable.tokens),
    cost: of(metricTable.cost),
    tools: of(metricTable.tools),
    recalls: of(metricTable.recalls),
    modelCalls: of(metricTable.modelCalls),
    modelTokens: of(metricTable.modelTokens),
  }
}

function recorder(meter: Meter, { name, kind, unit, description, buckets }: MetricRow): Recorder {
  if (kind === 'counter') {
    const counter = meter.createCounter(name, { unit, description })
    return (value, labels) => counter.add(value, labels)
  }
  const advice = buckets === undefined ? {} : { advice: { explicitBucketBoundaries: [...buckets] } }
  const histogram = meter.createHistogram(name, { unit, description, ...advice })
  return (value, labels) => histogram.record(value, labels)
}
