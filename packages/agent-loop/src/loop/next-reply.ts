/** Gets the next reply of the model and adds it to the conversation. */
import { loadMedia } from '../media/load-media.ts'
import type { Attempted } from './attempt-call.ts'
import { attemptReply } from './attempt-reply.ts'
import type { ModelRequest } from './model.ts'
import { checkpointOf, type OpenLoop } from './open-loop.ts'
import { isContextTooLong, rateLimitMs } from './pure/classify-error.ts'
import type { Stop } from './pure/stop.ts'
import { isEmptyReply, tidyReply, type TidyReply } from './pure/tidy-reply.ts'
import { tokensOf } from './pure/trim-context.ts'
import { isResponse, responseText } from './respond-to-user.ts'
import type { ReplyAttempt } from './reply-account.ts'
import { tell } from './tell.ts'
import { trim } from './trim.ts'
import { type StructuredToolError, ToolError } from './tool-error.ts'

export async function nextReply(loop: OpenLoop): Promise<Stop | undefined> {
  const { state, limits } = loop
  if (loop.world.signal.aborted) return calledOff(loop)
  const answer = answerSaved(loop)
  if (answer !== undefined) return answer
  if (state.iterations >= limits.iterations)
    return { reason: 'max_iterations', iterations: state.iterations, text: lastText(loop) }
  await trim(loop)
  const asked = await askModel(loop)
  if (asked.is === 'stop') return asked.stop
  // The window was smaller than configured. Its real size is now known.
  if (asked.is === 'too_long') return nextReply(loop)
  const { text, calls, note } = asked.reply
  state.iterations++
  state.messages = [...state.messages, { role: 'assistant', text, calls }]
  if (note !== undefined) await tell(loop, { kind: 'note', content: note, data: { text: note } })
  await loop.options.save?.(checkpointOf(loop))
  return calls.length === 0 ? { reason: 'text_only', text } : undefined
}

/** The loop continues after its last reply. If that reply was the answer, the model is not asked for another one. */
function answerSaved({ options, state }: OpenLoop): Stop | undefined {
  if (options.from === undefined) return undefined
  const last = state.messages.at(-1)
  if (last?.role === 'assistant') return { reason: 'text_only', text: last.text }
  if (last?.role !== 'tool') return undefined
  const text = deliveredAnswer(state.messages)
  return text === undefined ? undefined : { reason: 'respondToUser', text }
}

/** The answer that the model gave with `respondToUser` in its last reply, if it was accepted. */
function deliveredAnswer(messages: OpenLoop['state']['messages']): string | undefined {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const reply = messages[at]
  if (reply?.role !== 'assistant') return undefined
  const delivered = new Set(
    messages.slice(at + 1).flatMap((message) => (message.role === 'tool' && !message.failed ? [message.callId] : [])),
  )
  const calls = reply.calls.filter((call) => isResponse(call) && delivered.has(call.id))
  return calls.map(responseText).find((text) => text !== undefined)
}

export function calledOff(loop: OpenLoop): Stop {
  const error: StructuredToolError = {
    type: 'timeout',
    message: 'the loop was called off',
    retryable: true,
    userFixable: false,
  }
  return { reason: 'hard_error', source: 'cancelled', error, text: lastText(loop) }
}

/** The text of the model's last message with words. */
export function lastText({ state }: OpenLoop): string {
  return state.messages.findLast(({ role, text }) => role === 'assistant' && text !== '')?.text ?? ''
}

type Asked =
  | { readonly is: 'reply'; readonly reply: TidyReply }
  | { readonly is: 'stop'; readonly stop: Stop }
  | { readonly is: 'too_long' }

async function askModel(loop: OpenLoop): Promise<Asked> {
  const { state, limits, world } = loop
  const estimate = tokensOf(state.messages) + tokensOf([{ role: 'system', text: JSON.stringify(loop.offered) }])
  const most = { inputTokens: estimate, outputTokens: limits.outputTokens }
  const { attempted, limit } = await attemptReply(loop, {
    most,
    policy: loop.modelRetry,
    run: async (open, at) => heardReply(loop, { ...at, open }),
    mayRepeat: ({ retryable }, cause) => retryable && !isContextTooLong(cause) && !isStillLimited(cause),
  })
  if (limit !== undefined) {
    // The loop may have been aborted while it waited for its turn.
    if (world.signal.aborted) return stop(calledOff(loop))
    return stop({ reason: 'budget_exhausted', limit, text: lastText(loop) })
  }
  if (attempted.ok) return { is: 'reply', reply: attempted.value }
  if (world.signal.aborted) return stop(calledOff(loop))
  if (isContextTooLong(attempted.cause)) return (await narrowed(loop)) ? { is: 'too_long' } : stop(noRoom(loop))
  return stop({
    reason: 'hard_error',
    source: 'model',
    error: told(attempted.error),
    text: lastText(loop),
    ...askedOf(attempted),
  })
}

/** Models of this package already waited for a short rate limit. For a longer one, the step gives up its slot and waits. */
function isStillLimited(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'MODEL_FAILED' && rateLimitMs(cause) !== undefined
}

function askedOf({ error: { retryAfterMs }, cause }: Attempted<unknown> & { readonly ok: false }) {
  const isRateLimit = rateLimitMs(cause) !== undefined
  return { ...(retryAfterMs > 0 && { retryAfterMs }), ...(isRateLimit && ({ isRateLimit } as const)) }
}

function stop(reason: Stop): Asked {
  return { is: 'stop', stop: reason }
}

/** An empty reply is a fault of the provider. Asking again often helps. */
async function heardReply(
  { options, offered, limits, state }: OpenLoop,
  at: { readonly signal: AbortSignal; readonly attempt: number; readonly open: ReplyAttempt },
): Promise<TidyReply> {
  const { onText } = options
  const place = { reply: state.iterations + 1, attempt: at.attempt }
  const request: ModelRequest = {
    ...(await loadMedia(state.messages, options.media)),
    tools: offered,
    signal: at.signal,
    maxOutputTokens: limits.outputTokens,
    ...(onText !== undefined && { onText: (piece: string) => onText(piece, place) }),
  }
  const tidy = tidyReply(await at.open.ask(options.model, request), callIds(state.messages))
  await at.open.received(tidy)
  if (isEmptyReply(tidy)) throw new ToolError('unavailable', 'the model replied with neither text nor calls')
  return tidy
}

function callIds(messages: OpenLoop['state']['messages']): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => (message.role === 'assistant' ? message.calls : [])).map(({ id }) => id))
}

/** `false` if no further message can be left out. */
async function narrowed(loop: OpenLoop): Promise<boolean> {
  loop.state.windowTokens = Math.floor(tokensOf(loop.state.messages) * 0.75)
  return loop.state.windowTokens > 0 && (await trim(loop)) > 0
}

function noRoom(loop: OpenLoop): Stop {
  return { reason: 'budget_exhausted', limit: 'context', text: lastText(loop) }
}

function told({ type, message, retryable, userFixable, attempts, details }: StructuredToolError): StructuredToolError {
  return { type, message, retryable, userFixable, ...(attempts && { attempts }), ...(details && { details }) }
}
