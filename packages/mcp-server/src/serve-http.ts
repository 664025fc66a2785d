/**
 * Any number of hosts over streamable HTTP, on this machine only. Each request is independent, without a session, so a restarted
 * server can continue.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { lazyPort } from './lazy-port.ts'
import { McpServerError } from './mcp-server-error.ts'
import type { OpenMemoryPort } from './memory-port.ts'
import type { ServerOptions } from './memory-server.ts'
import { type Asked, type Objection, placeObjection, tokenObjection } from './pure/http-guard.ts'
import { refusalOf } from './pure/refusal.ts'

export interface HttpOptions extends ServerOptions {
  /** Called when a host first needs memory. */
  readonly open: OpenMemoryPort
  /** Every request must bear it. At least 16 characters, 8 of them different. */
  readonly token: string | undefined
  /** Default: 7821. 0 takes a free port. */
  readonly port?: number
}

/** A server that was started, and the way to end it. */
export interface HttpServing {
  readonly url: string
  /** Answers the open requests, then ends. */
  close(): Promise<void>
}

/** The port `serveHttp` listens on by default. */
export const defaultHttpPort = 7821
const loopback = '127.0.0.1'

/**
 * Serves any number of hosts over streamable HTTP, on this machine only. Every request needs the token.
 *
 * @example
 * ```ts
 * import { serveHttp, workspacePort } from '@agentm/mcp-server'
 *
 * const serving = await serveHttp({ open: () => workspacePort('.'), token: 'a-long-random-text', port: 0 })
 * await serving.close()
 * ```
 */
export async function serveHttp({
  open,
  token,
  port = defaultHttpPort,
  ...options
}: HttpOptions): Promise<HttpServing> {
  const expected = checkedToken(token)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new McpServerError('PORT_INVALID', `a port is a number from 0 to 65535, not ${port}.`)
  const [{ createServer }, answer] = await Promise.all([import('node:http'), requestAnswerer(options)])
  const memory = lazyPort(open)
  const server = createServer((request, response) => {
    answer(memory.get, { request, response, token: expected }).catch((error: unknown) => fail(response, error))
  })
  await listen(server, port)
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${loopback}:${bound}/mcp`,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      })
      await memory.close()
    },
  }
}

function checkedToken(given = ''): string {
  const token = given.trim()
  if (token === '')
    throw new McpServerError(
      'TOKEN_REQUIRED',
      `there is no token, and without one every program of this machine could read the memory. ${howToSetOne}`,
    )
  // A header cannot carry other characters, so no host could send such a token.
  if (!/^[\x21-\x7E]+$/.test(token))
    throw new McpServerError(
      'TOKEN_INVALID',
      'the token holds spaces or letters beyond ASCII, which a header cannot carry. Set AGENTM_MCP_TOKEN to one without.',
    )
  if (token.length < leastCharacters || new Set(token).size < leastDifferent)
    throw new McpServerError(
      'TOKEN_WEAK',
      `the token in AGENTM_MCP_TOKEN can be guessed: it has ${token.length} characters, ${new Set(token).size} of them different. ` +
        `It needs ${leastCharacters}, ${leastDifferent} of them different. ${howToSetOne}`,
    )
  return token
}

/** 64 bits at 4 bits for each character of a hexadecimal number; repetitions and words of few letters are none of those. */
const leastCharacters = 16
const leastDifferent = 8
const howToSetOne =
  'Set AGENTM_MCP_TOKEN to a long random text, here and for the hosts; this prints one: node -p "crypto.randomUUID()"'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly token: string
}

/** The protocol is loaded with the server, and not with this module: who serves standard input needs none of it. */
async function requestAnswerer(options: ServerOptions) {
  const [{ StreamableHTTPServerTransport }, { memoryServer }] = await Promise.all([
    import('./mcp-sdk-http.ts'),
    import('./memory-server.ts'),
  ])
  return async (open: OpenMemoryPort, { request, response, token }: Exchange): Promise<void> => {
    const asked = askedIn(request)
    const misplaced = placeObjection(asked)
    if (misplaced !== undefined) return object(response, misplaced)
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/health') return send(response, 200, { status: 'ok' })
    const plan = /^\/trace\/([^/]+)$/.exec(pathname)?.[1]
    if (pathname !== '/mcp' && plan === undefined)
      return send(response, 404, { code: 'NOT_SERVED', message: 'the paths here are /mcp and /trace/PLAN.' })
    const stranger = tokenObjection(asked, token)
    if (stranger !== undefined) return object(response, stranger)
    if (plan !== undefined) return sendTrace(open, plan, { request, response })
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST')
      return send(response, 405, { code: 'METHOD_REFUSED', message: 'there are no sessions here; POST every request.' })
    }
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = memoryServer(open, options)
    response.once('close', () => void server.close())
    await server.connect(transport)
    await transport.handleRequest(request, response)
  }
}

/** Plain HTTP for programs without MCP: the same trace as over MCP. */
async function sendTrace(
  open: OpenMemoryPort,
  plan: string,
  { request, response }: Pick<Exchange, 'request' | 'response'>,
): Promise<void> {
  if (request.method !== 'GET') {
    response.setHeader('Allow', 'GET')
    return send(response, 405, { code: 'METHOD_REFUSED', message: 'a trace is only read; GET it.' })
  }
  try {
    const { planId, timeline, complete, stepCount } = await (await open()).readTrace(decodeURIComponent(plan))
    send(response, 200, { planId, timeline, complete, stepCount })
  } catch (error) {
    const refusal = error instanceof URIError ? { code: 'INVALID_ID', message: error.message } : refusalOf(error)
    send(response, refusal.code === 'INVALID_ID' ? 400 : 500, { ...refusal })
  }
}

function askedIn({ headers }: IncomingMessage): Asked {
  const { host, origin, authorization } = headers
  return { host, origin, authorization }
}

function object(response: ServerResponse, { status, code, message }: Objection): void {
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  send(response, status, { code, message })
}

function send(
  response: ServerResponse,
  status: number,
  body: Readonly<Record<string, string | number | boolean>>,
): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else send(response, 500, { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) })
}

async function listen(server: import('node:http').Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      const message = `port ${port} is taken, perhaps by another agentm serve. Stop that one, or set AGENTM_MCP_PORT.`
      reject(new McpServerError('PORT_IN_USE', message, { cause: error }))
    })
    server.listen(port, loopback, resolve)
  })
}
