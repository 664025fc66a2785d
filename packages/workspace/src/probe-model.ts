/**
 * Whether the configured model is available, checked by listing the endpoint's models, which costs nothing. The key and the secret
 * parts of the address are not shown.
 */
import { configuredModel } from './configured-model.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** Whether the configured model can be reached. */
export interface ModelProbe {
  readonly name: string
  /** The endpoint, or the package it comes from. */
  readonly from: string
  readonly keyVariable: string
  readonly hasKey: boolean
  /**
   * `unlisted`: the endpoint answers, and knows no model of that name. `refused`: it does not take the key. `failed`: it answers
   * with a fault, or with something that is no list. `unreachable`: there is no connection. `silent`: there is one, and no answer in
   * time. `unasked`: it keeps no list, or the model comes from a package, so only a question would tell.
   */
  readonly answer: 'listed' | 'unlisted' | 'refused' | 'failed' | 'unreachable' | 'silent' | 'unasked'
  readonly why?: string
}

export interface ProbeOptions {
  /** How long the endpoint may take (default: 3 s). */
  readonly withinMs?: number
}

/** `undefined` if no model is configured; throws if the configuration is invalid. */
export async function probeModel(
  { config: read, world }: WorkspaceBase,
  { withinMs = 3000 }: ProbeOptions = {},
): Promise<ModelProbe | undefined> {
  const config = await read()
  const configured = await configuredModel(config, world)
  if (configured === undefined) return undefined
  const { name, keyVariable, url, package: from } = configured
  const key = world.env[keyVariable]?.trim() ?? ''
  const said = { name, keyVariable, hasKey: key !== '' }
  if (from !== undefined || url === undefined) return { ...said, from: String(from), answer: 'unasked' }
  return { ...said, from: placeOf(url), ...(await listedAt(url, { name, key, withinMs })) }
}

/** The address without name, password and query, which may be secret. */
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

async function listedAt(
  url: string,
  { name, key, withinMs }: { readonly name: string; readonly key: string; readonly withinMs: number },
): Promise<Pick<ModelProbe, 'answer' | 'why'>> {
  const list = new URL(url)
  list.pathname = `${list.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}/models`
  try {
    const response = await fetch(list, {
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(withinMs),
    })
    const text = await response.text()
    const { status } = response
    if (status === 401 || status === 403) return { answer: 'refused', why: `${status}` }
    if (status >= 500 && status !== notImplemented) return { answer: 'failed', why: `${status}${faultIn(text)}` }
    return response.ok ? answerIn(text, name) : { answer: 'unasked' }
  } catch (error) {
    const why = causeOf(error)
    if (why !== undefined) return { answer: 'unreachable', why }
    const late = `no answer within ${withinMs / 1000} s`
    return (await isConnected(list, withinMs))
      ? { answer: 'silent', why: late }
      : { answer: 'unreachable', why: `no connection within ${withinMs / 1000} s` }
  }
}

/** The status of an endpoint that has no list of models. */
const notImplemented = 501
const longestFault = 200

function faultIn(text: string): string {
  const parsed = parsedOf(text)
  const { error } = typeof parsed === 'object' && parsed !== null && 'error' in parsed ? parsed : { error: undefined }
  const { message } = typeof error === 'object' && error !== null && 'message' in error ? error : { message: error }
  return typeof message === 'string' && message !== '' ? `: ${message.slice(0, longestFault)}` : ''
}

function answerIn(text: string, name: string): Pick<ModelProbe, 'answer' | 'why'> {
  const parsed = parsedOf(text)
  if (parsed === undefined) return { answer: 'failed', why: 'what it answers is not JSON' }
  const { data }: { data?: unknown } = typeof parsed === 'object' && parsed !== null ? parsed : {}
  // A list in some other form is no list to us.
  if (!Array.isArray(data)) return { answer: 'unasked' }
  return { answer: data.some((each: { readonly id?: unknown } | null) => each?.id === name) ? 'listed' : 'unlisted' }
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `undefined` where nothing came in time. */
function causeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return undefined
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

/** A slow endpoint counts as connected; one that accepts no connection does not. */
async function isConnected({ hostname, port, protocol }: URL, withinMs: number): Promise<boolean> {
  const { connect } = await import('node:net')
  const host = hostname.replaceAll(/[[\]]/g, '')
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80), timeout: withinMs })
  return new Promise((resolve) => {
    const end = (is: boolean) => () => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false))
  })
}
