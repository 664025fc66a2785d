/** The items that a model takes and gives: messages, thoughts, calls of tools and their answers. */
import { field, firstText, jsonLength, objectOf, objectsOf, textOf, type JsonObject } from '../json-object.ts'
import { keepOpenCall, takeOpenCall } from '../open-calls.ts'
import { bookkeeping, unknown, type EventBody } from '../transcript-parser.ts'
import { isCodexContext } from './codex-prompt.ts'
import { codexResult } from './codex-result.ts'
import { agentMessage, contentTexts, say } from './codex-saying.ts'
import type { CodexRead, CodexState } from './codex-state.ts'
import { codexArguments, codexToolUse, runsCommand } from './codex-tools.ts'

/** True for the type of an item. */
export function isCodexItem(type: string | undefined): boolean {
  return items.has(type ?? '')
}

const items = new Set([
  'message',
  'agent_message',
  'reasoning',
  'local_shell_call',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'image_generation_call',
  'compaction',
  'compaction_summary',
  'context_compaction',
  'ghost_snapshot',
])

/** Reads an item. */
export function readCodexItem(state: CodexState, item: JsonObject): CodexRead {
  const type = textOf(item['type'])
  if (type === 'message') return readMessage(state, item)
  if (type === 'agent_message') return { state, events: [agentMessage(item)] }
  if (type === 'reasoning') return { state, events: [reasoning(item)] }
  if (type?.endsWith('_output') === true && items.has(type)) return readOutput(state, item)
  if (type?.endsWith('_call') === true && items.has(type)) return readCall(state, item, type)
  return { state, events: [items.has(type ?? '') ? bookkeeping(type) : unknown(type, jsonLength(item))] }
}

function readMessage(state: CodexState, item: JsonObject): CodexRead {
  const parts = contentTexts(item)
  if (item['role'] === 'assistant') return say(state, { who: 'reply', source: 'item', text: parts.join('\n') })
  if (item['role'] !== 'user') return { state, events: parts.map((text) => ({ type: 'context', text })) }
  const isInjected = injectedParts(item)
  const injected: readonly EventBody[] = parts.filter(isInjected).map((text) => ({ type: 'context', text }))
  const typed = parts.filter((part) => !isInjected(part)).join('\n')
  if (typed.trim() === '') return { state, events: injected }
  const id = firstText(item, 'id')
  const read = say(state, { who: 'prompt', source: 'item', text: typed, id })
  return { state: read.state, events: [...injected, ...read.events] }
}

/** Newer versions say of each part who wrote it; otherwise its beginning tells. */
function injectedParts(item: JsonObject): (text: string) => boolean {
  const about = objectsOf(field(objectOf(item['internal_chat_message_metadata_passthrough']), 'content_item_metadata'))
  const whose = about.flatMap((part) => firstText(objectOf(part['provenance']), 'type') ?? [])
  if (whose.length === 0) return isCodexContext
  if (whose.every((writer) => writer === 'user')) return () => false
  return whose.includes('user') ? isCodexContext : () => true
}

function reasoning(item: JsonObject): EventBody {
  const parts = [...objectsOf(item['summary']), ...objectsOf(item['content'])]
  const text = parts.flatMap((part) => firstText(part, 'text') ?? []).join('\n')
  return text === '' ? bookkeeping('reasoning') : { type: 'thought', text }
}

function readCall(state: CodexState, item: JsonObject, type: string): CodexRead {
  const tool = firstText(item, 'name') ?? type.replace(/_call$/, '')
  const id = firstText(item, 'call_id', 'id') ?? ''
  const given = item['arguments'] ?? item['input'] ?? item['action'] ?? null
  const fields = codexArguments(given)
  const use = codexToolUse(tool, fields, textOf(item['input']))
  return {
    state: { ...state, calls: keepOpenCall(state.calls, id, tool) },
    events: [{ type: 'call', id, tool, input: Object.keys(fields).length > 0 ? fields : given, use }],
  }
}

function readOutput(state: CodexState, item: JsonObject): CodexRead {
  const call = firstText(item, 'call_id') ?? ''
  const { tool, calls } = takeOpenCall(state.calls, call)
  const { tool: code, calls: codes } = takeOpenCall(state.codes, call)
  const { text, exitCode: said, isError } = codexResult(item['output'])
  const exitCode = said ?? (code === undefined ? undefined : Number(code))
  const isFailed = said === undefined && exitCode !== undefined ? exitCode !== 0 : isError
  const isCommand = exitCode !== undefined && (tool === undefined || runsCommand(tool))
  return {
    state: { ...state, calls, codes },
    events: [{ type: 'result', call, text, isError: isFailed, ...(isCommand ? { exitCode } : {}) }],
  }
}
