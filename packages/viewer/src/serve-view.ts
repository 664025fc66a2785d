/**
 * The page, on this machine only. Every request is judged by `objectionTo` before anything else; what a person may change is open only with
 * `write`.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { checkOwner } from '@agentm/nodes/store-kit'
import type { WorkspacePlace } from '@agentm/workspace/reader'
import { answerer, type Answerer } from './answerer.ts'
import { securityHeaders } from './pure/security-headers.ts'
import { keepHeapSmall } from './small-heap.ts'
import { ViewerError } from './viewer-error.ts'
import { ViewSource } from './view-source.ts'

/** Options of `serveView`. */
export interface ViewOptions {
  /** The directory whose plans and notes are shown, or a workspace of its own (default: this directory). */
  readonly place?: WorkspacePlace
  /** Default: 0, which takes a free port. */
  readonly port?: number
  /** Whether a person may change plans, notes and beliefs on the page (default: no). */
  readonly write?: boolean
  /** Whose plans, notes and sessions are shown (default: `owner` of the config, else the user of the operating system). */
  readonly owner?: string
  /** How a person calls agentm here (default: `agentm`). The page shows commands to copy. */
  readonly command?: string
  /** Whether this process does nothing but serve the page. Its heap is then kept small, at the cost of some processor time (default: no). */
  readonly ownProcess?: boolean
}

/** A page that is served, and the way to end it. */
export interface ViewServing {
  /** With the token: whoever opens it may use the page. */
  readonly url: string
  readonly port: number
  /** Answers the open requests, then ends. */
  close(): Promise<void>
}

const loopback = '127.0.0.1'

/**
 * Serves the page at a random address on this machine, until it is closed.
 *
 * @example
 * ```ts
 * import { serveView } from '@agentm/viewer'
 *
 * const serving = await serveView({ place: { home: './data' } })
 * console.log(serving.url.startsWith('http://127.0.0.1:')) // true
 * await serving.close()
 * ```
 */
export async function serveView({
  place = '.',
  port = 0,
  write = false,
  owner,
  command = 'agentm',
  ownProcess = false,
}: ViewOptions = {}): Promise<ViewServing> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ViewerError('PORT_INVALID', `a port is a number from 0 to 65535, not ${port}.`)
  if (owner !== undefined) checkOwner(owner)
  if (ownProcess) keepHeapSmall()
  const token = randomBytes(32).toString('base64url')
  const source = new ViewSource(place, owner)
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 30_000, headersTimeout: 10_000 })
  // No websockets, no tunnels.
  server.on('upgrade', (_, socket) => socket.destroy())
  server.on('connect', (_, socket) => socket.destroy())
  server.on('checkContinue', (_, response: ServerResponse) => refuseExpectation(response))
  server.on('checkExpectation', (_, response: ServerResponse) => refuseExpectation(response))
  const bound = await listen(server, port)
  const pages = await answerer({ source, guarded: { port: bound, token, canWrite: write }, command }).catch(
    async (error: unknown) => {
      server.close()
      await source.close()
      throw error
    },
  )
  server.on('request', (request, response) => void respond(pages, request, response))
  // Opened while the browser starts. What is wrong is said by the first request.
  void source.plans().catch(() => undefined)
  return {
    url: `http://${loopback}:${bound}/?token=${token}`,
    port: bound,
    async close() {
      pages.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await source.close()
    },
  }
}

async function respond(pages: Answerer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A request that is aborted while it is read is nobody's any more.
  request.on('error', () => response.destroy())
  response.on('error', () => response.destroy())
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
  await pages.answer(request, response)
}

function refuseExpectation(response: ServerResponse): void {
  response.writeHead(417, { ...securityHeaders, Connection: 'close' }).end()
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      const message = `port ${port} is taken, perhaps by another agentm view. Use another --port, or none for a free one.`
      reject(new ViewerError('PORT_IN_USE', message, { cause: error }))
    })
    server.listen(port, loopback, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}
