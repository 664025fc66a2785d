/** A collector on loopback: takes what is sent to it over OTLP/HTTP, and keeps it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface Received {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly status: number
  readonly schemaUrl: string
  readonly service: string
}

export interface Receiver {
  readonly url: string
  /** Whatever was sent, in the order of its arrival. */
  readonly bodies: readonly Buffer[]
  spans(): readonly Received[]
  /** The names of the metrics. */
  metrics(): ReadonlySet<string>
  close(): Promise<void>
}

interface Value {
  readonly stringValue?: string
  readonly intValue?: string | number
  readonly doubleValue?: number
  readonly boolValue?: boolean
}
type Attributes = readonly { readonly key: string; readonly value: Value }[]

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: readonly {
      readonly schemaUrl?: string
      readonly spans: readonly {
        readonly name: string
        readonly kind: number
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
        readonly startTimeUnixNano: string
        readonly endTimeUnixNano: string
        readonly attributes: Attributes
        readonly status: { readonly code?: number }
      }[]
    }[]
  }[]
}

interface Metrics {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[]
  }[]
}

export async function startReceiver(): Promise<Receiver> {
  const bodies: Buffer[] = []
  const traces: Traces[] = []
  const metrics: Metrics[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const sent = Buffer.concat(chunks)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
      bodies.push(body)
      if (request.headers['content-type'] === 'application/json')
        if (request.url === '/v1/traces') traces.push(JSON.parse(body.toString()) as Traces)
        else metrics.push(JSON.parse(body.toString()) as Metrics)
      response.writeHead(200, { 'content-type': request.headers['content-type'] ?? '' })
      response.end(request.headers['content-type'] === 'application/json' ? '{}' : '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () => traces.flatMap(spansOf),
    metrics: () =>
      new Set(
        metrics
          .flatMap(({ resourceMetrics }) => resourceMetrics)
          .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics.map(({ name }) => name))),
      ),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function spansOf({ resourceSpans }: Traces): readonly Received[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ schemaUrl = '', spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId = '', links = [], status, ...span }) => ({
        name,
        kind,
        traceId,
        spanId,
        parentSpanId,
        links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        attributes: valuesOf(span.attributes),
        status: status.code ?? 0,
        schemaUrl,
        service: String(valuesOf(resource.attributes)['service.name']),
      })),
    ),
  )
}

function valuesOf(attributes: Attributes): Received['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue ?? '') : Number(intValue)),
    ]),
  )
}
