/**
 * Who may use the page: a browser on this machine that was given the token and asks for this server by its own name. Everything a
 * request claims about itself is judged here, before a route is looked for.
 */
import { createHash, timingSafeEqual } from 'node:crypto'

/** What a request says about itself. A header that was sent twice has two values. */
export interface Asked {
  readonly method: string
  /** The request target as it was sent. */
  readonly target: string
  readonly headers: Readonly<Record<string, readonly string[]>>
}

export interface Guarded {
  readonly port: number
  readonly token: string
  readonly canWrite: boolean
}

export interface Objection {
  readonly status: 400 | 401 | 403 | 405 | 415
  readonly code:
    | 'TARGET_REFUSED'
    | 'HOST_REFUSED'
    | 'METHOD_REFUSED'
    | 'ORIGIN_REFUSED'
    | 'TOKEN_REFUSED'
    | 'READ_ONLY'
    | 'HEADER_REFUSED'
    | 'TYPE_REFUSED'
  readonly message: string
}

/** A page of another origin cannot send this header without asking first, and the answer to that is no. */
export const pageHeader = 'x-agentm-view'

export function objectionTo(asked: Asked, guarded: Guarded): Objection | undefined {
  return (
    placeObjection(asked, guarded) ??
    originObjection(asked, guarded) ??
    tokenObjection(asked, guarded) ??
    (asked.method === 'POST' ? writeObjection(asked, guarded) : undefined)
  )
}

/** The name of the cookie. Cookies are shared by all ports of a host, so it carries the port. */
export function cookieName(port: number): string {
  return `agentm_view_${port}`
}

/** The path and the rest of the query, where a page was asked for with the token in its address. */
export function withoutToken({ method, target, headers }: Asked, { port, token }: Guarded): string | undefined {
  if (method !== 'GET' || placeObjection({ method, target, headers }, { port, token, canWrite: false }) !== undefined)
    return undefined
  const url = new URL(target, 'http://localhost')
  const given = url.searchParams.getAll('token')
  if (given.length !== 1 || url.pathname.startsWith('/api/') || !isSame(given[0] ?? '', token)) return undefined
  url.searchParams.delete('token')
  return `${url.pathname}${url.search}`
}

function placeObjection({ method, target, headers }: Asked, { port }: Guarded): Objection | undefined {
  // One plain path: no other origin, no second slash that a redirect could be led away by, no climbing, no encoded separators.
  if (!/^\/(?![/\\])[\w\-.~/?&=%+:@!$'()*,;]*$/.test(target) || /%(?:00|0a|0d|2e|5c)/i.test(pathOf(target)))
    return refused(400, 'TARGET_REFUSED', 'the address is not one of this page.')
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(pathOf(target)))
    return refused(400, 'TARGET_REFUSED', 'the address is not one of this page.')
  const hosts = headers['host'] ?? []
  if (hosts.length !== 1 || !ownHosts(port).includes(hosts[0] ?? ''))
    return refused(403, 'HOST_REFUSED', `ask for 127.0.0.1:${port} or localhost:${port}; no other name is served.`)
  if (!['GET', 'HEAD', 'POST'].includes(method))
    return refused(405, 'METHOD_REFUSED', 'the methods here are GET, HEAD and POST.')
  return undefined
}

/** A foreign page sends its origin; a browser also says whether a page of another site asks. */
function originObjection({ method, headers }: Asked, { port }: Guarded): Objection | undefined {
  const origins = headers['origin'] ?? []
  const own = ownHosts(port).map((host) => `http://${host}`)
  const isOwn = origins.length === 0 || (origins.length === 1 && origins[0] === `http://${headers['host']?.[0]}`)
  if (!isOwn || !origins.every((origin) => own.includes(origin)))
    return refused(403, 'ORIGIN_REFUSED', 'pages of other origins are not served.')
  const [site = 'none'] = headers['sec-fetch-site'] ?? []
  const opensPage =
    method === 'GET' && headers['sec-fetch-mode']?.[0] === 'navigate' && headers['sec-fetch-dest']?.[0] === 'document'
  if (!['same-origin', 'none'].includes(site) && !opensPage)
    return refused(403, 'ORIGIN_REFUSED', 'pages of other sites are not served.')
  return undefined
}

function tokenObjection({ headers }: Asked, { port, token }: Guarded): Objection | undefined {
  const name = `${cookieName(port)}=`
  const given = (headers['cookie'] ?? []).flatMap((line) => line.split(';')).map((pair) => pair.trim())
  const isKnown = given.some((pair) => pair.startsWith(name) && isSame(pair.slice(name.length), token))
  return isKnown
    ? undefined
    : refused(401, 'TOKEN_REFUSED', 'open the address that agentm view printed: it carries the token.')
}

function writeObjection({ headers }: Asked, { canWrite }: Guarded): Objection | undefined {
  if (!canWrite)
    return refused(
      403,
      'READ_ONLY',
      'this page only reads. To change something here, start it with agentm view --write.',
    )
  const isFromPage = headers[pageHeader]?.[0] === '1' && headers['origin']?.length === 1
  if (!isFromPage) return refused(403, 'HEADER_REFUSED', `a change is sent by the page itself, with ${pageHeader}: 1.`)
  if (!/^application\/json(?:; *charset=utf-8)?$/i.test(headers['content-type']?.[0] ?? ''))
    return refused(415, 'TYPE_REFUSED', 'a change is sent as application/json.')
  return undefined
}

function ownHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`]
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? ''
}

function isSame(given: string, token: string): boolean {
  // Hashes have one length, so that comparing them tells nothing of the token.
  return timingSafeEqual(hash(given), hash(token))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function refused(status: Objection['status'], code: Objection['code'], message: string): Objection {
  return { status, code, message }
}
