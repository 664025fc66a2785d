/**
 * Keeps the conversation within the window. What is left out stays in the log; the model sees a note in its place, with a summary
 * if the window has one. The note is saved at once, so that a loop that resumes after a crash goes on from the same words.
 */
import { redactSecrets } from '@agentm/nodes'
import { attemptReply } from './attempt-reply.ts'
import { dropMedia } from '../media/pure/drop-media.ts'
import type { Message } from './model.ts'
import { checkpointOf, type OpenLoop } from './open-loop.ts'
import { isEmptyReply, tidyReply } from './pure/tidy-reply.ts'
import { ruleSummary, summaryRequest } from './pure/summary-text.ts'
import { tokensOf, trimContext, withSummary } from './pure/trim-context.ts'
import { tell } from './tell.ts'
import { ToolError } from './tool-error.ts'

/** The number of messages, pictures and documents that were left out. */
export async function trim(loop: OpenLoop): Promise<number> {
  return (await trimMedia(loop)) + (await trimWords(loop))
}

/** Pictures and documents go before words, because each takes the place of pages of them. */
async function trimMedia(loop: OpenLoop): Promise<number> {
  const { state, options } = loop
  const { bytesPerToken } = options.window ?? {}
  const { messages, dropped } = dropMedia(state.messages, { maxTokens: state.windowTokens, bytesPerToken })
  if (dropped.length === 0) return 0
  state.messages = messages
  const names = dropped.map(({ name }) => name)
  const content = `left out to make room: ${names.join(', ')}`
  await tell(loop, { kind: 'note', content, data: { text: content, leftOut: names } })
  await options.save?.(checkpointOf(loop))
  return dropped.length
}

async function trimWords(loop: OpenLoop): Promise<number> {
  const { state, options } = loop
  const maxTokens = state.windowTokens
  const { summary: kind = 'none' } = options.window ?? {}
  const summaryTokens = kind === 'none' ? 0 : Math.min(longestSummary, Math.floor(maxTokens / 8))
  // More is left out at once, because each time costs a summary and what the provider has in its cache of the conversation.
  const room = { summaryTokens, goalTokens: Math.floor(maxTokens * 0.7) }
  const trimmed = trimContext(state.messages, { ...options.window, maxTokens }, room)
  const { dropped, note, standsFor } = trimmed
  if (dropped === 0) return 0
  const facts = { dropped, maxTokens, standsFor }
  if (kind === 'none') {
    state.messages = trimmed.messages
    await tell(loop, { kind: 'note', content: note, data: { text: note, ...facts } })
    return dropped
  }
  const told = { earlier: summaryIn(state.messages), left: trimmed.left, summaryTokens, maxTokens }
  const bySelf = kind === 'model' ? await modelSummary(loop, told) : undefined
  const summary = bySelf ?? ruleSummary(told.earlier, told.left, summaryTokens)
  state.messages = withSummary(trimmed.messages, summary)
  const by = bySelf === undefined ? 'rules' : 'model'
  await tell(loop, { kind: 'note', content: `${note}\n${summary}`, data: { text: note, summary, by, ...facts } })
  await options.save?.(checkpointOf(loop))
  return dropped
}

const longestSummary = 1500

function summaryIn(messages: readonly Message[]): string {
  return messages.map((message) => (message.role === 'system' ? message.summary : undefined)).find(Boolean) ?? ''
}

interface Told {
  readonly earlier: string
  readonly left: readonly Message[]
  readonly summaryTokens: number
  readonly maxTokens: number
}

/** `undefined` if the model gives none, or the budget does not allow it. A rule then makes the summary, and the work goes on. */
async function modelSummary(loop: OpenLoop, told: Told): Promise<string | undefined> {
  const { options, modelRetry } = loop
  const { summaryTokens: maxOutputTokens } = told
  const messages = summaryRequest(told)
  const { attempted } = await attemptReply(loop, {
    most: { inputTokens: tokensOf(messages), outputTokens: maxOutputTokens },
    policy: { ...modelRetry, attempts: 1 },
    async run(open, { signal }) {
      const request = { messages, tools: [], signal, maxOutputTokens }
      const reply = tidyReply(await open.ask(options.model, request), new Set())
      await open.received(reply)
      if (isEmptyReply(reply) || reply.text.trim() === '')
        throw new ToolError('unavailable', 'the model gave no summary')
      return redactSecrets(reply.text.trim())
    },
  })
  return attempted.ok ? attempted.value : undefined
}
