/**
 * Makes one request and reads its answer. The address is checked when the connection is made, after the name was resolved. So a
 * name cannot mean a public host during the check and a private one during the request.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { ToolError } from '../loop/tool-error.ts'
import { isPublicAddress } from './public-address.ts'

export interface Exchange {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly mayBePrivate: boolean
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly cut: boolean
}

/** The signature of `dns.lookup`. */
export type Lookup = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export async function httpExchange(exchange: Exchange, lookup: Lookup = systemLookup): Promise<HttpAnswer> {
  const { url, method, headers, body, mayBePrivate, signal } = exchange
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // An IP address in the URL is not looked up, so it is checked here.
  if (isIP(host) !== 0 && !mayBePrivate && !isPublicAddress(host)) throw privateAddress(url.hostname, host)
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers,
      signal,
      agent: false,
      lookup: checkedLookup(url.hostname, { mayBePrivate, lookup }),
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      readAnswer(answer, exchange.maxBytes).then(resolve, reject)
    })
    sent.end(body)
  })
}

function privateAddress(host: string, address: string): ToolError {
  return new ToolError('permission', `${host} is ${address}, an address of the own network, and is not named as one`, {
    mayHaveHappened: false,
  })
}

type NodeLookup = NonNullable<http.RequestOptions['lookup']>

function checkedLookup(
  host: string,
  { mayBePrivate, lookup }: { readonly mayBePrivate: boolean; readonly lookup: Lookup },
): NodeLookup {
  return (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const secret = mayBePrivate ? undefined : addresses?.find(({ address }) => !isPublicAddress(address))
      const first = addresses?.[0]
      if (error !== null || first === undefined) return done(error ?? new Error(`${host} has no address`), [])
      if (secret !== undefined) return done(privateAddress(host, secret.address), [])
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family)
    })
  }
}

async function readAnswer(answer: http.IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) break
  }
  answer.destroy()
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes), { stream: true })
  return { status: answer.statusCode ?? 0, headers: answer.headers, text, cut: bytes > maxBytes }
}
