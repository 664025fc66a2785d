/**
 * What this package uses of the OpenTelemetry SDK, in one file, which is loaded only if telemetry is exported. The published package holds
 * that part inside (tools/bundle-mcp.mjs), because the SDK and its exporters bring 25 MB, of which it needs a fraction.
 */
export { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
export { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
export { OTLPMetricExporter as ProtoMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
export { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
export { OTLPTraceExporter as ProtoTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
export { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
export {
  DataPointType,
  type IMetricReader,
  MeterProvider,
  MetricReader,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
export {
  BatchSpanProcessor,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type TimedEvent,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
