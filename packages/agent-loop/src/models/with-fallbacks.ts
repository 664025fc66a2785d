/**
 * Several models, tried in order. The next one is asked if one cannot answer: its provider is out or paused, limits the rate, or the
 * conversation is too long for it. A request that is wrong fails at once, because the next model would refuse it, too.
 */
import type { Model, ModelReply, ModelRequest, TokenUsage } from '../loop/model.ts'
import { classifyError, isContextTooLong } from '../loop/pure/classify-error.ts'

/** A model, and its name in the trace. */
export interface NamedModel {
  readonly name: string
  readonly model: Model
}

/**
 * A model with others that answer if it cannot. Each reply costs what its own model costs.
 *
 * @example
 * ```ts
 * import { withFallbacks } from '@agentm/agent-loop/models'
 *
 * const model = withFallbacks([
 *   { name: 'large', model: { respond: () => Promise.reject(new Error('fetch failed: ECONNREFUSED')) } },
 *   { name: 'small', model: { respond: async () => ({ text: 'Hello.' }) } },
 * ])
 * const reply = await model.respond({ messages: [], tools: [], signal: new AbortController().signal, maxOutputTokens: 9 })
 * console.log(reply.text, reply.note) // Hello. small answered, because large could not: fetch failed: ECONNREFUSED
 * ```
 */
export function withFallbacks(models: readonly [NamedModel, ...NamedModel[]]): Model {
  const prices = models.flatMap(({ model }) => model.costMicrosOf?.bind(model) ?? [])
  return {
    // The dearest is reserved, because it is not known yet who answers. Without a price of one, there is no limit to keep.
    ...(prices.length === models.length && {
      costMicrosOf: (tokens: TokenUsage) => Math.max(...prices.map((price) => price(tokens))),
    }),
    respond: async (request) => firstReply(models, request),
  }
}

async function firstReply(models: readonly [NamedModel, ...NamedModel[]], request: ModelRequest): Promise<ModelReply> {
  const [first] = models
  let failed: { readonly error: unknown } | undefined
  let latest: unknown
  for (const { name, model } of models) {
    if (failed !== undefined && (await request.mayAskAgain?.(latest)) === false) break
    const { asked, isShown } = watched(request)
    try {
      const reply = priced(await model.respond(asked), model)
      return failed === undefined ? reply : { ...reply, note: noteOf(name, { first: first.name, error: failed.error }) }
    } catch (error) {
      // That of the first counts in the end: it is the model that the user chose, and it is asked again first.
      failed ??= { error }
      latest = error
      if (request.signal.aborted || isShown() || !mayAnother(error)) break
    }
  }
  throw failed?.error
}

function noteOf(name: string, { first, error }: { readonly first: string; readonly error: unknown }): string {
  return `${name} answered, because ${first} could not: ${error instanceof Error ? error.message : String(error)}`
}

function mayAnother(error: unknown): boolean {
  return isContextTooLong(error) || classifyError(error ?? 'it failed').retryable
}

/** The same words must not be shown twice, so a reply of which a part was shown is not asked of another model. */
function watched(request: ModelRequest): { readonly asked: ModelRequest; readonly isShown: () => boolean } {
  const { onText } = request
  let shown = false
  if (onText === undefined) return { asked: request, isShown: () => false }
  const show = (piece: string): void => {
    shown = true
    onText(piece)
  }
  return { asked: { ...request, onText: show }, isShown: () => shown }
}

/** The price of the model that answered, because the loop knows only that of all of them. */
function priced(reply: ModelReply, model: Model): ModelReply {
  const { usage } = reply
  if (usage === undefined || usage.costMicros !== undefined || model.costMicrosOf === undefined) return reply
  return { ...reply, usage: { ...usage, costMicros: model.costMicrosOf(usage) } }
}
