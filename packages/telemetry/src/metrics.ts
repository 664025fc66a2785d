/** The metrics by their names, and a page of them for Prometheus. */
export { metricTable } from './pure/metric-table.ts'
export { prometheusName } from './pure/prometheus-text.ts'
export { type MetricsServer, serveMetrics } from './serve-metrics.ts'
