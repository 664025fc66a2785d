/**
 * Plain JSONL, for every agent that is not known here: one object per line with the fields of `TranscriptEvent`. `host` and `record` are not
 * written; `session` and `at` are optional, `at` may be an ISO time.
 */
import {
  field,
  firstText,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  timeOf,
  type JsonObject,
  type JsonValue,
} from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import { todoItem } from '../todo-item.ts'
import type { ToolUse } from '../../transcript-event.ts'
import { beginning, defineParser, unknown, type EventBody, type ParserState } from '../transcript-parser.ts'

/** Reads plain JSONL. */
export const plainParser = defineParser<ParserState>({
  host: 'plain',
  start: beginning,
  read: (before, record, text) => {
    const session = firstText(record, 'session') ?? before.session
    const state = session === before.session ? before : { ...before, session }
    const agent = firstText(record, 'agent')
    const event = eventOf(record) ?? unknown(record['type'], text.length)
    const isTask = event.type === 'prompt' && (agent ?? state.agent) !== undefined
    const events: readonly EventBody[] = [isTask ? { type: 'context', text: event.text } : event]
    return { state, events, at: timeOf(record['at']), agent }
  },
})

/** The event that a line describes, or `undefined` if a field that it needs is absent or has another type. */
function eventOf(record: JsonObject): EventBody | undefined {
  const text = record['text']
  switch (record['type']) {
    case 'session':
      return { type: 'session', ...texts(record, ['cwd', 'version', 'branch', 'title']), ...parentOf(record) }
    case 'prompt':
      return typeof text === 'string' ? { type: 'prompt', text, ...texts(record, ['id']) } : undefined
    case 'reply':
      return typeof text === 'string' ? { type: 'reply', text, ...texts(record, ['model']) } : undefined
    case 'context':
    case 'thought':
    case 'error':
      return typeof text === 'string' ? { type: record['type'], text } : undefined
    case 'compaction':
      return { type: 'compaction', ...texts(record, ['summary']) }
    case 'rewind':
      return { type: 'rewind', ...texts(record, ['to']), ...numbers(record, ['turns']) }
    case 'call':
      return callOf(record)
    case 'result':
      return resultOf(record)
    case 'usage':
      return {
        type: 'usage',
        ...texts(record, ['model']),
        ...numbers(record, ['inputTokens', 'outputTokens', 'cachedTokens']),
      }
    default:
      return undefined
  }
}

function texts<Key extends string>(record: JsonObject, keys: readonly Key[]): { readonly [K in Key]?: string } {
  return knownFields(Object.fromEntries(keys.map((key) => [key, textOf(field(record, key))]))) as never
}

function numbers<Key extends string>(record: JsonObject, keys: readonly Key[]): { readonly [K in Key]?: number } {
  return knownFields(Object.fromEntries(keys.map((key) => [key, numberOf(field(record, key))]))) as never
}

type Why = 'resumed' | 'forked' | 'sub-agent'

function parentOf(record: JsonObject): { readonly parent?: { readonly session: string; readonly why: Why } } {
  const parent = objectOf(record['parent'])
  const session = firstText(parent, 'session')
  const why = (['resumed', 'forked', 'sub-agent'] as const).find((word) => word === field(parent, 'why'))
  return session === undefined || why === undefined ? {} : { parent: { session, why } }
}

function callOf(record: JsonObject): EventBody | undefined {
  const id = firstText(record, 'id')
  const tool = firstText(record, 'tool')
  if (id === undefined || tool === undefined) return undefined
  return { type: 'call', id, tool, input: record['input'] ?? null, use: useOf(objectOf(record['use'])) }
}

function resultOf(record: JsonObject): EventBody | undefined {
  const call = firstText(record, 'call')
  const { text } = record
  if (call === undefined || typeof text !== 'string') return undefined
  const exitCode = numberOf(record['exitCode'])
  const isError = typeof record['isError'] === 'boolean' ? record['isError'] : (exitCode ?? 0) !== 0
  return { type: 'result', call, text, isError, ...knownFields({ exitCode }) }
}

function useOf(use: JsonObject | undefined): ToolUse {
  const other: ToolUse = { does: 'other' }
  const does = field(use, 'does')
  if (use === undefined) return other
  if (does === 'read' || does === 'write') return { does, files: listOf(use['files']).filter(isText) }
  if (does === 'todo')
    return { does, items: objectsOf(use['items']).map((item) => todoItem(firstText(item, 'text'), item['status'])) }
  if (does === 'command')
    return given(firstText(use, 'command'), (command) => ({ does, command, ...texts(use, ['cwd']) }))
  if (does === 'search') return given(firstText(use, 'query'), (query) => ({ does, query }))
  if (does === 'fetch') return given(firstText(use, 'url'), (url) => ({ does, url }))
  return does === 'agent' ? given(firstText(use, 'prompt'), (prompt) => ({ does, prompt })) : other
}

function given(value: string | undefined, make: (value: string) => ToolUse): ToolUse {
  return value === undefined ? { does: 'other' } : make(value)
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string'
}
