/**
 * What this package uses of the OpenTelemetry API, in one file: the published package holds it inside (tools/bundle-mcp.mjs). Copies of
 * the API find each other: providers that a program registered with its own copy are used here.
 */
export {
  context,
  diag,
  DiagLogLevel,
  metrics,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
export type {
  Attributes,
  Context,
  HrTime,
  Link,
  Meter,
  MeterProvider,
  ObservableGauge,
  Span,
  SpanContext,
  SpanStatus,
  Tracer,
  TracerProvider,
} from '@opentelemetry/api'
