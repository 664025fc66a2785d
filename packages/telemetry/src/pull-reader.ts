/** Reads all metrics when it is asked to. */
import { DataPointType, MetricReader, type ResourceMetrics } from './otel-sdk.ts'
import type { CollectedMetric } from './pure/prometheus-text.ts'

export class PullReader extends MetricReader {
  async read(): Promise<readonly CollectedMetric[]> {
    const { resourceMetrics } = await this.collect()
    return [
      targetInfo(resourceMetrics),
      ...resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics.flatMap(collected)),
    ]
  }

  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

type Data = ResourceMetrics['scopeMetrics'][number]['metrics'][number]

function collected(metric: Data): readonly CollectedMetric[] {
  const { name, unit, description } = metric.descriptor
  switch (metric.dataPointType) {
    case DataPointType.SUM:
    case DataPointType.GAUGE: {
      const type = metric.dataPointType === DataPointType.SUM && metric.isMonotonic ? 'counter' : 'gauge'
      const points = metric.dataPoints.map(({ attributes, value }) => ({ labels: attributes, value }))
      return [{ name, unit, description, type, points }]
    }
    case DataPointType.HISTOGRAM: {
      const points = metric.dataPoints.map(({ attributes, value: { buckets, count, sum = 0 } }) => ({
        labels: attributes,
        value: { count, sum, limits: buckets.boundaries, counts: buckets.counts },
      }))
      return [{ name, unit, description, type: 'histogram', points }]
    }
    default:
      return []
  }
}

/** The facts about the process, by the convention of Prometheus. */
function targetInfo({ resource }: ResourceMetrics): CollectedMetric {
  const labels = resource.attributes
  return {
    name: 'target_info',
    unit: '',
    description: 'Facts about this process',
    type: 'gauge',
    points: [{ labels, value: 1 }],
  }
}
