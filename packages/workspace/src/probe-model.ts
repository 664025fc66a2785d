/**
 * Whether the configured model is to be had, asked without asking it anything: the list of models costs nothing. Neither the
 * key nor what may stand in the address beside the place itself is told.
 */
import { readInstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { configuredModel } from './configured-model.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface ModelProbe {
  readonly name: string
  /** The endpoint, or the package it comes from. */
  readonly from: string
  readonly keyVariable: string
  readonly hasKey: boolean
  /**
   * `unlisted`: the endpoint answers, and knows no model of that name. `refused`: it does not take the key. `unasked`: it keeps no
   * list, or the model comes from a package, so only a question would tell.
   */
  readonly answer: 'listed' | 'unlisted' | 'refused' | 'unreachable' | 'unasked'
  readonly why?: string
}

export interface ProbeOptions {
  readonly world?: SelectionWorld
  /** 3 seconds where absent. */
  readonly withinMs?: number
}

/** `undefined` where no model is configured; throws where what is configured cannot be meant. */
export async function probeModel({ world: given, withinMs = 3000 }: ProbeOptions = {}): Promise<
  ModelProbe | undefined
> {
  const world = given ?? (await workspaceWorld())
  const config = await readInstallConfig(world)
  const configured = await configuredModel(config, world)
  if (configured === undefined) return undefined
  const { name, keyVariable } = configured
  const key = world.env[keyVariable]?.trim() ?? ''
  const said = { name, keyVariable, hasKey: key !== '' }
  const { 'models.url': url, 'models.package': from } = config.values
  if (from !== undefined || url === undefined) return { ...said, from: String(from), answer: 'unasked' }
  return { ...said, from: placeOf(url), ...(await listedAt(url, { name, key, withinMs })) }
}

/** Without a name, a password, or a query, any of which may be secret. */
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
    if (response.status === 401 || response.status === 403) return { answer: 'refused', why: `${response.status}` }
    return { answer: response.ok ? answerIn(text, name) : 'unasked' }
  } catch (error) {
    return { answer: 'unreachable', why: causeOf(error, withinMs) }
  }
}

function answerIn(text: string, name: string): ModelProbe['answer'] {
  try {
    const { data }: { data?: unknown } = JSON.parse(text)
    if (!Array.isArray(data)) return 'unasked'
    return data.some((each: { readonly id?: unknown } | null) => each?.id === name) ? 'listed' : 'unlisted'
  } catch {
    // A list in some other form is no list to us.
    return 'unasked'
  }
}

function causeOf(error: unknown, withinMs: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${withinMs / 1000} s`
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}
