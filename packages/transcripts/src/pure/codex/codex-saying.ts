/** What the person, the model or another agent says in a session of Codex. */
import { firstText, objectsOf, textOf, type JsonObject } from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import { saidTwice } from '../said-twice.ts'
import { bookkeeping, type EventBody } from '../transcript-parser.ts'
import { requestOf } from './codex-prompt.ts'
import type { CodexRead, CodexState } from './codex-state.ts'

/** A text, with who said it. It stands as an item for the model, as an event for the display, or as both. */
export interface Saying {
  readonly who: 'prompt' | 'reply'
  readonly source: 'item' | 'event'
  readonly text: string
  readonly id?: string | undefined
}

/** The events of a text, unless it repeats the last one. In a sub-agent the other agent speaks, not the person. */
export function say(before: CodexState, { who, source, text, id }: Saying): CodexRead {
  if (text.trim() === '') return { state: before, events: [] }
  const { isCopy, said } = saidTwice(before.said, { who, source, text: text.replaceAll('[image]', '') })
  const state = { ...before, said }
  if (isCopy) return { state, events: [bookkeeping(`copy/${who}`)] }
  if (who === 'reply') return { state, events: [{ type: 'reply', text, ...knownFields({ model: state.model }) }] }
  if (state.agent !== undefined) return { state, events: [{ type: 'context', text }] }
  const { above, typed } = requestOf(text)
  const shown: readonly EventBody[] = above === '' ? [] : [{ type: 'context', text: above }]
  return { state, events: [...shown, { type: 'prompt', text: typed, ...knownFields({ id }) }] }
}

/** What another agent says. */
export function agentMessage(item: JsonObject): EventBody {
  const text = contentTexts(item).join('\n')
  return text === '' ? bookkeeping('agent_message') : { type: 'context', text }
}

/** The texts of a content that is a string or a list of parts; an image is named, not copied. */
export function contentTexts(item: JsonObject): readonly string[] {
  const content = item['content']
  if (typeof content === 'string') return [content]
  return objectsOf(content)
    .map((part) => firstText(part, 'text') ?? (imageLike.has(textOf(part['type']) ?? '') ? '[image]' : ''))
    .filter((text) => text !== '' && !/^<\/?image(?: name=[^>]*)?>$/.test(text))
}

const imageLike = new Set(['input_image', 'image', 'local_image'])
