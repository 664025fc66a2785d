/**
 * A conversation with fewer pictures and documents, so that it fits. Those that a tool read go first, because they can be read again, and
 * older ones go before newer ones. What the model has not seen yet stays. A line takes the place of each.
 */
import type { Message } from '../../loop/model.ts'
import { tokensOf } from '../../loop/pure/trim-context.ts'
import type { MediaPart } from '../media-part.ts'
import { mostOfConversation } from './media-limits.ts'
import { leftOutLine } from './media-text.ts'

export interface MediaDropped {
  readonly messages: readonly Message[]
  readonly dropped: readonly MediaPart[]
}

/** `maxTokens` of 0 means no limit. */
export function dropMedia(
  messages: readonly Message[],
  { maxTokens, bytesPerToken }: { readonly maxTokens: number; readonly bytesPerToken?: number | undefined },
): MediaDropped {
  let [kept, dropped]: [readonly Message[], readonly MediaPart[]] = [messages, []]
  for (const at of inOrder(messages)) {
    if (fits(kept, maxTokens, bytesPerToken)) break
    const message = kept[at]
    const parts = partsOf(message)
    if (message === undefined) break
    dropped = [...dropped, ...parts]
    kept = kept.with(at, withoutParts(message, parts))
  }
  return { messages: kept, dropped }
}

export function partsOf(message: Message | undefined): readonly MediaPart[] {
  return message?.role === 'user' || message?.role === 'tool' ? (message.parts ?? []) : []
}

/** The places of messages that can be without their parts. */
function inOrder(messages: readonly Message[]): readonly number[] {
  const seen = messages.findLastIndex(({ role }) => role === 'assistant')
  const places = messages.flatMap((message, at) => (at < seen && partsOf(message).length > 0 ? [at] : []))
  return places.toSorted((a, b) => Number(messages[a]?.role === 'user') - Number(messages[b]?.role === 'user') || a - b)
}

function fits(messages: readonly Message[], maxTokens: number, bytesPerToken: number | undefined): boolean {
  const parts = messages.flatMap(partsOf)
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  if (parts.length > mostOfConversation.parts || bytes > mostOfConversation.bytes) return false
  return maxTokens <= 0 || tokensOf(messages, bytesPerToken) <= maxTokens
}

const why = 'it was left out to make room. Read it again if you need it'

function withoutParts(message: Message, parts: readonly MediaPart[]): Message {
  if (message.role !== 'user' && message.role !== 'tool') return message
  const { parts: _, ...rest } = message
  return { ...rest, text: [message.text, ...parts.map((part) => leftOutLine(part, why))].join('\n') }
}
