/** The OpenTelemetry SDK, started as the settings say. Loaded only when something is exported. */
import { hostname } from 'node:os'
import type { OpenedTelemetry, OpenOptions } from './open-telemetry.ts'
import { context, diag, DiagLogLevel, metrics, ROOT_CONTEXT, SpanKind, trace } from './otel-api.ts'
import {
  AsyncLocalStorageContextManager,
  BatchSpanProcessor,
  detectResources,
  envDetector,
  JsonMetricExporter,
  JsonTraceExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  ProtoMetricExporter,
  ProtoTraceExporter,
  type Resource,
  resourceFromAttributes,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from './otel-sdk.ts'
import { planIds } from './planned-ids.ts'
import { prometheusText } from './pure/prometheus-text.ts'
import { ExportedSpan } from './whole-span.ts'
import type { TelemetrySettings } from './pure/telemetry-settings.ts'
import { PullReader } from './pull-reader.ts'
import { ownScope, telemetryOver } from './telemetry-over.ts'

export function startSdk(settings: TelemetrySettings, options: OpenOptions): OpenedTelemetry {
  tellFailures(options)
  const resource = resourceOf(options)
  const reader = options.pull === true ? new PullReader() : undefined
  const meters = new MeterProvider({
    resource,
    readers: [reader, pushedMetrics(settings)].filter((each) => each !== undefined),
  })
  const sampler = new TraceIdRatioBasedSampler(settings.ratio)
  const exported = batchesOf(settings)
  const traces = exported && tracesOf(settings, { resource, sampler, exported })
  if (traces !== undefined) {
    planIds.isInUse = true
    trace.setGlobalTracerProvider(traces)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  }
  metrics.setGlobalMeterProvider(meters)
  // One object for all of them, because exporters put spans together by it.
  const common = { resource, instrumentationScope: ownScope, longestText: settings.longestText }
  const telemetry = telemetryOver({
    traces: traces ?? trace.getTracerProvider(),
    isTraced: (traceId) => traces !== undefined && isSampled(sampler, traceId),
    meters,
    exportWhole: exported && ((span) => exported.onEnd(new ExportedSpan(span, common))),
    content: settings.content,
  })
  return {
    ...telemetry,
    problems: settings.problems,
    metricsText: async () => (reader === undefined ? '' : prometheusText(await reader.read())),
    async close(withinMs = 5000) {
      await telemetry.settled()
      await within(withinMs, Promise.allSettled([traces?.shutdown(), meters.shutdown()]))
      if (traces !== undefined) for (const api of [trace, context]) api.disable()
      metrics.disable()
      diag.disable()
    },
  }
}

/** The SDK reports errors to a logger. One line is enough: the cause is the same for every batch. */
function tellFailures({ onFailure }: OpenOptions): void {
  if (onFailure === undefined) return
  let isTold = false
  const error = (why: string): void => {
    if (isTold) return
    isTold = true
    onFailure(messageIn(why))
  }
  diag.setLogger({ error, warn: ignored, info: ignored, debug: ignored, verbose: ignored }, DiagLogLevel.ERROR)
}

const ignored = (): void => undefined

/** The SDK writes errors as JSON, with their stack. */
function messageIn(why: string): string {
  try {
    const parsed: unknown = JSON.parse(why)
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message)
  } catch {
    // It is text.
  }
  return why.slice(0, 300)
}

function pushedMetrics({
  metrics: protocol,
  metricIntervalMs,
}: TelemetrySettings): PeriodicExportingMetricReader | undefined {
  if (protocol === undefined) return undefined
  const exporter = protocol === 'http/json' ? new JsonMetricExporter() : new ProtoMetricExporter()
  const exportTimeoutMillis = Math.min(30_000, metricIntervalMs)
  return new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: metricIntervalMs, exportTimeoutMillis })
}

function batchesOf({ traces, batch }: TelemetrySettings): BatchSpanProcessor | undefined {
  if (traces === undefined) return undefined
  const exporter = traces === 'http/json' ? new JsonTraceExporter() : new ProtoTraceExporter()
  return new BatchSpanProcessor({ exporter, ...batch })
}

function tracesOf(
  { longestText }: TelemetrySettings,
  {
    resource,
    sampler,
    exported,
  }: { readonly resource: Resource; readonly sampler: Sampler; readonly exported: BatchSpanProcessor },
): TracerProvider {
  return new TracerProvider({
    resource,
    idGenerator: planIds,
    sampler,
    spanProcessors: [exported],
    ...(longestText !== undefined && { spanLimits: { attributeValueLengthLimit: longestText } }),
  })
}

/** The decision depends on the trace alone, so all processes that work on a plan decide alike, and for each of its spans. */
function isSampled(sampler: Sampler, traceId: string): boolean {
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.INTERNAL, {}, [])
  return decision === SamplingDecision.RECORD_AND_SAMPLED
}

/** What the environment says about the process comes first. */
function resourceOf({ env = {}, version }: OpenOptions): Resource {
  return resourceFromAttributes({
    'service.name': 'agentm',
    'service.instance.id': `${hostname()}:${process.pid}`,
    ...(version !== undefined && { 'service.version': version }),
  })
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(nameOf(env)))
}

function nameOf(env: NonNullable<OpenOptions['env']>): Readonly<Record<string, string>> {
  const name = env['OTEL_SERVICE_NAME']?.trim() ?? ''
  return name === '' ? {} : { 'service.name': name }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work, late])
  clearTimeout(timer)
}
