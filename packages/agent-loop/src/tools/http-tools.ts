/**
 * Requests to hosts that the user allowed. A redirect is a new request: its host must be allowed, too, and data for one host is not
 * sent to another.
 */
import type { StoreRuntime } from '@agentm/nodes'
import { z } from 'zod'
import { defineTool, type Tool, type ToolAnswer } from '../loop/tool.ts'
import { ToolError } from '../loop/tool-error.ts'
import { typeOfStatus } from '../loop/pure/type-of-status.ts'
import { askedToWaitMs } from '../pure/retry-after.ts'
import { type Exchange, type HttpAnswer, httpExchange, type Lookup } from './http-exchange.ts'
import { allowedHost, type HostLists } from './pure/host-policy.ts'

/** Which hosts HTTP tools may reach, and how much they may read. */
export interface HttpPolicy extends HostLists {
  /** Default: 30 s. */
  readonly timeoutMs?: number
  /** The most bytes of an answer, from its beginning (default: 256 KiB). */
  readonly maxBytes?: number
  readonly needsApproval?: boolean
}

/** Options of `httpTools`. */
export interface HttpToolsOptions {
  readonly policy: HttpPolicy
  readonly runtime: Pick<StoreRuntime, 'now'>
  /** Resolves host names (default: the system's resolver). */
  readonly lookup?: Lookup
}

const url = z.url({ protocol: /^https?$/ })
const headers = z.record(z.string(), z.string()).default({})

/** `http` only reads and can be given to agents that should only read; `http_send` changes data. */
export function httpTools(options: HttpToolsOptions): readonly Tool[] {
  const { hosts, timeoutMs = 30_000, needsApproval = false } = options.policy
  const where = `Allowed hosts: ${hosts.join(', ')}.`
  const get = defineTool({
    name: 'http',
    description: `Gets what is at a web address. ${where}`,
    input: z.object({ url, headers }),
    nature: 'pure',
    retry: { timeoutMs },
    run: async (input, { signal }) => ask(options, { ...input, method: 'GET', body: undefined }, signal),
  })
  const send = defineTool({
    name: 'http_send',
    description: `Sends a request that may change something to a web address. ${where}`,
    input: z.object({
      url,
      headers,
      method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
      body: z.string().optional().describe('Text as it is; say its content-type.'),
    }),
    nature: 'effectful',
    needsApproval,
    retry: { timeoutMs },
    run: async (input, { signal, key }) =>
      ask(options, { ...input, headers: { 'idempotency-key': key, ...input.headers }, body: input.body }, signal),
  })
  return [get, send]
}

type Wanted = Pick<Exchange, 'method' | 'headers' | 'body'> & { readonly url: string }

const mostRedirects = 5

async function ask(options: HttpToolsOptions, wanted: Wanted, signal: AbortSignal): Promise<ToolAnswer> {
  let at = checked(options, { ...wanted, url: new URL(wanted.url) }, signal)
  for (let redirects = 0; ; redirects++) {
    const answer = await httpExchange(at, options.lookup)
    const next = redirected(at, answer)
    if (next === undefined) return answered(at, answer, options)
    // The request was accepted, and the redirect only shows a result. If reading the result fails, that does not change what was
    // done.
    if (at.method !== 'GET' && next.method === 'GET') return seen(options, { at, next, answer }, signal)
    if (redirects === mostRedirects) throw new ToolError('unavailable', `${wanted.url} redirects without end`)
    at = checked(options, next, signal)
  }
}

type Asked = Pick<Exchange, 'url' | 'method' | 'headers' | 'body'>

async function seen(
  options: HttpToolsOptions,
  { at, next, answer }: { readonly at: Asked; readonly next: Asked; readonly answer: HttpAnswer },
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const where = `${at.method} ${at.url.href} answered ${answer.status}: see ${next.url.href}`
  try {
    const shown = await ask(options, { ...next, url: next.url.href }, signal)
    return { text: `${where}\n\n${typeof shown === 'string' ? shown : shown.text}` }
  } catch (error) {
    return `${where}\n\nIt could not be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

function checked({ policy }: HttpToolsOptions, asked: Asked, signal: AbortSignal): Exchange {
  const { hosts, maxBytes = 262_144 } = policy
  const { protocol, username, password, host } = asked.url
  const allowed = allowedHost(policy, asked.url)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw new ToolError('validation', 'only http and https addresses without a password are asked')
  if (allowed === undefined)
    throw new ToolError('permission', `${host} is not allowed here. Allowed: ${hosts.join(', ') || 'no host'}`, {
      mayHaveHappened: false,
    })
  return { ...asked, headers: sendable(asked.headers), ...allowed, maxBytes, signal }
}

/** Headers that decide where and how a request is sent; the model may not set them. */
const notSendable = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer'])

function sendable(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'agentm',
    ...Object.fromEntries(named.filter(([name]) => !notSendable.has(name) && !name.startsWith('proxy-'))),
  }
}

/** The request that follows a redirect. As in browsers, only 307 and 308 send the body again. */
function redirected(
  { url: from, method, headers: sent, body }: Asked,
  { status, headers: said }: HttpAnswer,
): Asked | undefined {
  const location = said['location']
  if (![301, 302, 303, 307, 308].includes(status) || typeof location !== 'string') return undefined
  if (!URL.canParse(location, from.href)) throw new ToolError('unavailable', `${from.host} redirects to no address`)
  const to = new URL(location, from)
  const again = status === 307 || status === 308 || method === 'GET'
  const isSame = to.origin === from.origin
  if (!isSame && again && method !== 'GET')
    throw new ToolError('permission', `${from.host} wants it sent to ${to.host}; ask there if that is meant`)
  const kept = Object.entries(sent).filter(
    ([name]) => (isSame || isHarmless(name)) && (again || !name.startsWith('content-')),
  )
  return { url: to, method: again ? method : 'GET', headers: Object.fromEntries(kept), body: again ? body : undefined }
}

/** Whether a header may be sent to another host. */
function isHarmless(name: string): boolean {
  return ['accept', 'accept-language', 'accept-encoding', 'user-agent'].includes(name)
}

function answered({ url: at, method }: Asked, answer: HttpAnswer, { runtime }: HttpToolsOptions): ToolAnswer {
  const { status, headers: said, text, cut } = answer
  const type = [said['content-type']].flat()[0] ?? 'no type'
  const shown = `${status} ${at.href} (${type})\n\n${text}${cut ? '\n[cut here]' : ''}`
  if (status < 400) return shown
  const passing = [408, 425, 429, 500, 502, 503, 504, 529].includes(status)
  if (!passing) return { text: shown, failed: true }
  const retryAfterMs = askedToWaitMs((name) => [said[name]].flat()[0], { status, now: runtime.now() })
  throw new ToolError(typeOfStatus(status), `${method} ${at.href} answered ${status}`, {
    details: { body: text.slice(0, 2000) },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...((status === 429 || status === 503) && { mayHaveHappened: false }),
  })
}
