/** Who may use the server over HTTP: programs on this machine that use its own host name and the token. */
import { createHash, timingSafeEqual } from 'node:crypto'

export interface Asked {
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly authorization: string | undefined
}

export interface Objection {
  readonly status: 401 | 403
  readonly code: 'HOST_REFUSED' | 'ORIGIN_REFUSED' | 'TOKEN_REFUSED'
  readonly message: string
}

/** A web page that had its name point here still sends that name; a foreign page sends its origin. */
export function placeObjection({ host, origin }: Asked): Objection | undefined {
  if (host === undefined || !isLoopback(`http://${host}`))
    return { status: 403, code: 'HOST_REFUSED', message: 'ask for localhost or 127.0.0.1; no other name is served.' }
  if (origin !== undefined && !isLoopback(origin))
    return { status: 403, code: 'ORIGIN_REFUSED', message: 'pages of other origins are not served.' }
  return undefined
}

export function tokenObjection({ authorization = '' }: Asked, token: string): Objection | undefined {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  // Hashes have one length, so that comparing them tells nothing of the token.
  if (timingSafeEqual(hash(given), hash(token))) return undefined
  return {
    status: 401,
    code: 'TOKEN_REFUSED',
    message: 'send Authorization: Bearer with the value of AGENTM_MCP_TOKEN.',
  }
}

function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password, pathname } = new URL(address)
  const isBare = username === '' && password === '' && (pathname === '/' || pathname === '')
  return isBare && /^https?:$/.test(protocol) && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
