/** A conversation of a ChatGPT export: one note. Of edited messages and repeated answers, only the last branch is taken. */
import type { Read } from '../import-entry.ts'
import { conversationText, type Said } from './conversation-note.ts'
import { isObject, type JsonObject, listIn, textIn, timeIn } from './json-fields.ts'

export function chatgptEntry(value: unknown, place: string): Read {
  const id = textIn(value, 'conversation_id', 'id')
  if (id === undefined || !isObject(value)) return { place, why: 'the conversation has no id' }
  const title = textIn(value, 'title')?.trim() ?? 'Untitled conversation'
  const text = conversationText(title, branch(value).flatMap(saidIn))
  if (text === undefined) return { place, why: 'nothing was said in it' }
  const at = timeIn(value, 'update_time', 'create_time')
  return { id, kind: 'conversation', title, text, tags: [], writtenBy: 'agent', ...(at === undefined ? {} : { at }) }
}

/** The messages from the beginning to the current one. */
function branch(conversation: JsonObject): readonly unknown[] {
  const mapping = isObject(conversation['mapping']) ? conversation['mapping'] : {}
  const messages: unknown[] = []
  const seen = new Set<string>()
  let next = textIn(conversation, 'current_node') ?? newestLeaf(mapping)
  while (next !== undefined && !seen.has(next)) {
    seen.add(next)
    const node: unknown = Object.hasOwn(mapping, next) ? mapping[next] : undefined
    if (isObject(node)) messages.push(node['message'])
    next = textIn(node, 'parent')
  }
  return messages.toReversed()
}

/** Older exports do not say which message is the current one. */
function newestLeaf(mapping: JsonObject): string | undefined {
  const leaves = Object.entries(mapping).filter(([, node]) => listIn(node, 'children').length === 0)
  return leaves.toSorted(([, a], [, b]) => timeOf(b) - timeOf(a))[0]?.[0]
}

function timeOf(node: unknown): number {
  return isObject(node) ? (timeIn(node['message'], 'create_time') ?? 0) : 0
}

const names: Readonly<Record<string, string>> = { user: 'You', assistant: 'ChatGPT' }

/** What the person and the assistant said to each other. System messages, calls of tools and their results are left out. */
function saidIn(message: unknown): readonly Said[] {
  if (!isObject(message) || !isShown(message)) return []
  const by = names[textIn(message['author'], 'role') ?? '']
  const content = message['content']
  const type = textIn(content, 'content_type') ?? 'text'
  if (by === undefined || !['text', 'multimodal_text'].includes(type)) return []
  const parts = listIn(content, 'parts').flatMap((part) => (typeof part === 'string' ? [part] : []))
  return [{ by, text: parts.join('\n') }]
}

function isShown({ metadata, recipient = 'all' }: JsonObject): boolean {
  return recipient === 'all' && !(isObject(metadata) && metadata['is_visually_hidden_from_conversation'] === true)
}
