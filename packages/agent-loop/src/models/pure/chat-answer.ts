/** The answer of an endpoint, whole or in pieces, as zod schemas. Unknown fields are ignored. */
import { z } from 'zod'
import type { ModelReply, ToolCall } from '../../loop/model.ts'
import type { CachedTokens } from './model-price.ts'

const text = z.union([
  z.string(),
  z
    .array(z.object({ text: z.string().optional() }))
    .transform((parts) => parts.map((part) => part.text ?? '').join('')),
])

const usage = z.object({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z
    .object({ cached_tokens: z.number().nullish(), cache_write_tokens: z.number().nullish() })
    .nullish(),
  /** Some gateways report what was written into the cache here. */
  cache_creation_input_tokens: z.number().nullish(),
})

/** Some endpoints send the arguments as an object instead of text. */
const args = z.union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])

const calledPiece = z.object({
  index: z.number().int().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: args.nullish() }),
})

const said = z.object({
  content: text.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(calledPiece).nullish(),
})

export const chatAnswer = z.object({
  choices: z.array(z.object({ message: said, finish_reason: z.string().nullish() })).min(1),
  usage: usage.nullish(),
})

export const chatChunk = z.object({
  choices: z.array(z.object({ delta: said.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: usage.nullish(),
})

export const chatFault = z.object({
  error: z.union([
    z.string().transform((message) => ({ message, code: undefined, type: undefined })),
    z.object({ message: z.string().nullish(), code: z.unknown().optional(), type: z.unknown().optional() }),
  ]),
})

type Said = z.infer<typeof said>
type Called = z.infer<typeof calledPiece>

/** The part of a reply that has arrived. */
export interface Heard {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly usage: z.infer<typeof usage> | undefined
  /** Whether the endpoint said that the reply is complete. */
  readonly finished: boolean
}

export const unheard: Heard = { text: '', calls: [], usage: undefined, finished: false }

export function fromAnswer({ choices, usage: used }: z.infer<typeof chatAnswer>): Heard {
  const { message = {} } = choices[0] ?? {}
  const calls = (message.tool_calls ?? []).map((each) => ({ ...each, index: undefined }))
  return { ...withSaid(unheard, { ...message, tool_calls: calls }), usage: used ?? undefined, finished: true }
}

export function withChunk(heard: Heard, { choices, usage: used }: z.infer<typeof chatChunk>): Heard {
  const choice = choices?.[0]
  const next = withSaid(heard, choice?.delta ?? {})
  return {
    ...next,
    usage: used ?? heard.usage,
    finished: heard.finished || typeof choice?.finish_reason === 'string',
  }
}

/** A refusal is text that the model returned in place of an answer. */
function withSaid(heard: Heard, { content, refusal, tool_calls: called }: Said): Heard {
  return {
    ...heard,
    text: heard.text + (content ?? '') + (refusal ?? ''),
    calls: (called ?? []).reduce(withCall, heard.calls),
  }
}

/**
 * A piece belongs to the call with its index. If it has another id it is a new call, because some endpoints send index 0 for every
 * call.
 */
function withCall(calls: readonly ToolCall[], piece: Called): readonly ToolCall[] {
  const id = piece.id ?? ''
  const at = piece.index ?? (id === '' ? calls.length - 1 : calls.length)
  const place = placeOf(calls, at, id)
  const known = calls[place]
  const more = piece.function.arguments ?? ''
  if (known === undefined) return [...calls, { id, tool: piece.function.name ?? '', args: more }]
  const grown = { id: known.id || id, tool: known.tool || (piece.function.name ?? ''), args: known.args + more }
  return calls.with(place, grown)
}

function placeOf(calls: readonly ToolCall[], at: number, id: string): number {
  const known = calls[at]
  if (known === undefined) return calls.length
  if (id === '' || known.id === '' || known.id === id) return at
  const named = calls.findIndex((call) => call.id === id)
  return named === -1 ? calls.length : named
}

/** Without `usage` if the endpoint does not report it, because 0 would count as a real figure. */
export function replyOf({ text: words, calls, usage: used }: Heard): ModelReply {
  const { prompt_tokens: input, completion_tokens: output } = used ?? {}
  return {
    text: words,
    calls,
    ...(typeof input === 'number' &&
      typeof output === 'number' && { usage: { inputTokens: input, outputTokens: output } }),
  }
}

/** What of the input the endpoint found in its cache, and wrote into it, as far as it says so. */
export function cachedIn({ usage: used }: Heard): CachedTokens {
  const { cached_tokens: read, cache_write_tokens: written } = used?.prompt_tokens_details ?? {}
  return { read: read ?? 0, written: written ?? used?.cache_creation_input_tokens ?? 0 }
}
