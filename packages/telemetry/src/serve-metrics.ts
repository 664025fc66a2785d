/** The metrics of this process over HTTP, for Prometheus. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running page of metrics. */
export interface MetricsServer {
  /** The address of the page, such as `http://127.0.0.1:9464/metrics`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves `text` at `/metrics`, on this machine only unless another host is named. Port 0 takes a free one.
 *
 * @example
 * ```ts
 * import { openTelemetry } from '@agentm/telemetry'
 * import { serveMetrics } from '@agentm/telemetry/metrics'
 *
 * const telemetry = await openTelemetry({ env: {}, pull: true })
 * const server = await serveMetrics(async () => (await telemetry?.metricsText()) ?? '', { port: 0 })
 * console.log((await fetch(server.url)).status) // 200
 * await server.close()
 * await telemetry?.close()
 * ```
 */
export async function serveMetrics(
  text: () => Promise<string>,
  { port, host = '127.0.0.1' }: { readonly port: number; readonly host?: string },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    void respond(request, response, answer(request, { text, isLocal: loopback.test(host) }))
  })
  // A scraper that hangs must not keep the worker from ending.
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/metrics`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/

async function respond(
  { method }: IncomingMessage,
  response: ServerResponse,
  answered: Promise<Answer>,
): Promise<void> {
  const { status, body } = await answered
  response.writeHead(status, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(method === 'HEAD' ? undefined : body)
}

interface Answer {
  readonly status: number
  readonly body: string
}

async function answer(
  { method, url = '/', headers }: IncomingMessage,
  { text, isLocal }: { readonly text: () => Promise<string>; readonly isLocal: boolean },
): Promise<Answer> {
  // A page in a browser may reach this address under the name of a server of its own.
  if (isLocal && !loopback.test((headers.host ?? '').replace(/:\d+$/, '')))
    return { status: 421, body: 'This address is answered only under its own name.\n' }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'Only GET is answered here.\n' }
  if (new URL(url, 'http://localhost').pathname !== '/metrics')
    return { status: 404, body: 'The metrics are at /metrics.\n' }
  try {
    return { status: 200, body: await text() }
  } catch {
    return { status: 503, body: 'The metrics cannot be read now.\n' }
  }
}
