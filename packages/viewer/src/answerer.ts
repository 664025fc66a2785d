/** From a request to its answer: judged first, then routed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { redactSecrets } from '@agentm/nodes'
import { beliefsRoom } from './beliefs/beliefs-room.ts'
import type { About, Refused } from './contract/frame.ts'
import { LiveNews } from './live-news.ts'
import { memoryRoom } from './memory/memory-room.ts'
import { pageFiles, type PageFile } from './page-files.ts'
import { plansRoom } from './plans/plans-room.ts'
import { healthRoom } from './health/health-room.ts'
import { type Asked, cookieName, type Guarded, objectionTo, withoutToken } from './pure/request-guard.ts'
import { type Addresses, routeOf } from './pure/route-of.ts'
import { readBody } from './read-body.ts'
import type { Room } from './room.ts'
import { sessionsRoom } from './sessions/sessions-room.ts'
import type { ViewSource } from './view-source.ts'

export interface Answerer {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  close(): void
}

export interface Answering {
  readonly source: ViewSource
  readonly guarded: Guarded
  readonly command: string
}

/** Of a change, if its room says nothing else. */
const usualBytes = 65_536

export async function answerer(answering: Answering): Promise<Answerer> {
  const { source } = answering
  const files = await pageFiles()
  const news = new LiveNews((signal) => source.follow(signal))
  const rooms: readonly Room[] = [
    plansRoom(source),
    memoryRoom(source),
    beliefsRoom(source),
    sessionsRoom(source),
    healthRoom(source),
  ]
  const exchange = { ...answering, files, news, rooms, addresses: addressesOf(rooms) }
  return {
    async answer(request, response) {
      try {
        await answerTo(exchange, request, response)
      } catch (error) {
        fail(response, error)
      }
    },
    close: () => news.close(),
  }
}

function addressesOf(rooms: readonly Room[]): Addresses {
  return { rooms: rooms.map(({ name }) => name), reads: rooms.flatMap(({ reads }) => Object.keys(reads)) }
}

interface Exchange extends Answering {
  readonly files: ReadonlyMap<string, PageFile>
  readonly news: LiveNews
  readonly rooms: readonly Room[]
  readonly addresses: Addresses
}

async function answerTo(exchange: Exchange, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { guarded, rooms, news, files } = exchange
  const asked = askedIn(request)
  const address = withoutToken(asked, guarded)
  if (address !== undefined && objectionTo(withCookie(asked, guarded), guarded) === undefined)
    return enter(response, guarded, address)
  const objection = objectionTo(asked, guarded)
  if (objection !== undefined) return refuse(request, response, objection)
  const url = new URL(asked.target, 'http://localhost')
  const route = routeOf(url.pathname, exchange.addresses)
  const isChange = route.to === 'change'
  if (isChange !== (asked.method === 'POST'))
    return refuse(request, response, {
      status: 405,
      code: 'METHOD_REFUSED',
      message: isChange ? 'a change is sent with POST.' : 'this address is only read; use GET.',
    })
  switch (route.to) {
    case 'page':
      return sendFile(response, files.get('index.html'), 'no-store')
    case 'file':
      return sendFile(response, files.get(route.name), 'private, max-age=31536000, immutable')
    case 'about':
      return sendJson(response, 200, await about(exchange))
    case 'events':
      return stream(news, request, response)
    case 'read': {
      const read = rooms.map(({ reads }) => reads[route.address]).find((one) => one !== undefined)
      const told = await read?.({ id: route.id, query: url.searchParams })
      return told === undefined ? sendNothing(response) : sendJson(response, 200, told)
    }
    case 'change':
      return change(
        rooms.find(({ name }) => name === route.room),
        request,
        response,
      )
    default:
      return sendNothing(response)
  }
}

function stream(news: LiveNews, request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'HEAD') return void response.end()
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  if (!news.add(response)) response.end()
  return undefined
}

async function about({ source, guarded, command }: Exchange): Promise<About> {
  const [owner, project] = await Promise.all([source.owner(), source.project()])
  return { owner, project, canWrite: guarded.canWrite, command }
}

async function change(room: Room | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const mostBytes = room?.mostBytes ?? usualBytes
  const body = await readBody(request, mostBytes)
  if (body === undefined) {
    response.setHeader('Connection', 'close')
    return sendJson(response, 413, { code: 'TOO_LARGE', message: `a change has at most ${mostBytes} bytes.` })
  }
  const sent = objectIn(body)
  const changing = sent && room?.change?.(sent)
  if (changing === undefined)
    return sendJson(response, 400, { code: 'CHANGE_INVALID', message: 'that is no change that this page can make.' })
  return sendJson(response, 200, await changing)
}

function objectIn(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

/** The token leaves the address: from here on, the cookie carries it. */
function enter(response: ServerResponse, { port, token }: Guarded, address: string): void {
  response
    .writeHead(303, {
      Location: address,
      'Set-Cookie': `${cookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Strict`,
      'Cache-Control': 'no-store',
    })
    .end()
}

function withCookie(asked: Asked, { port, token }: Guarded): Asked {
  return { ...asked, headers: { ...asked.headers, cookie: [`${cookieName(port)}=${token}`] } }
}

function askedIn({ method = '', url = '', rawHeaders }: IncomingMessage): Asked {
  const headers: Record<string, string[]> = Object.create(null)
  for (let i = 0; i < rawHeaders.length; i += 2)
    (headers[rawHeaders[i]?.toLowerCase() ?? ''] ??= []).push(rawHeaders[i + 1] ?? '')
  return { method, target: url, headers }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: Refused & { readonly status: number },
): void {
  if (status === 405) response.setHeader('Allow', 'GET, HEAD, POST')
  // What is still on its way is not read.
  if (request.method !== 'GET' && request.method !== 'HEAD') response.setHeader('Connection', 'close')
  const wantsPage = request.headers.accept?.includes('text/html') === true
  if (!wantsPage) return sendJson(response, status, { code, message })
  const text = `agentm view\n\nRefused: ${message}\n`
  response
    .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(request.method === 'HEAD' ? undefined : text)
}

function sendFile(response: ServerResponse, file: PageFile | undefined, cache: string): void {
  if (file === undefined) return sendJson(response, 404, { code: 'NOT_SERVED', message: 'there is no such file.' })
  response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.bytes.length, 'Cache-Control': cache })
  response.end(response.req.method === 'HEAD' ? undefined : file.bytes)
}

function sendNothing(response: ServerResponse): void {
  sendJson(response, 404, { code: 'NOT_SERVED', message: 'there is no such address here.' })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
  })
  response.end(response.req.method === 'HEAD' ? undefined : bytes)
}

const statuses: Readonly<Record<string, number>> = {
  ABSENT_NODE: 404,
  NOTE_ABSENT: 404,
  NOT_FOUND: 404,
  INVALID_NOTE: 400,
  SECRET_FOUND: 400,
  PROJECT_REFUSED: 400,
  CONCURRENT_MODIFICATION: 409,
  SLUG_TAKEN: 409,
  NOTE_NOT_ACTIVE: 409,
  NOT_RESTORABLE: 409,
  BELIEF_REFUSED: 409,
  LESSON_REFUSED: 409,
  STORE_UNAVAILABLE: 503,
  STORE_NOT_MARKED: 503,
  UNKNOWN_SESSION: 404,
  INVALID_ID: 400,
  INVALID_CURSOR: 400,
  ANSWER_REFUSED: 409,
  STEP_REFUSED: 409,
  PLAN_OVER: 409,
  FORK_REFUSED: 409,
  IDEMPOTENCY_CONFLICT: 409,
  TREES_REFUSED: 409,
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string'
  const code = isCoded ? String(error.code) : 'INTERNAL'
  const message = error instanceof Error ? redactSecrets(error.message) : 'something failed.'
  sendJson(response, statuses[code] ?? 500, { code, message })
}
