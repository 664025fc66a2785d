/** What the model says and does: its texts, its thoughts, its calls of tools, and the tokens that it took. */
import { field, firstText, jsonLength, listOf, numberOf, objectOf, textOf, type JsonObject } from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import { keepOpenCall } from '../open-calls.ts'
import { noTokens, tokensSince, type TokenTotals } from '../token-totals.ts'
import { bookkeeping, unknown, type EventBody } from '../transcript-parser.ts'
import { claudeCodeResult, contentText } from './claude-code-result.ts'
import type { ClaudeCodeRead, ClaudeCodeState } from './claude-code-state.ts'
import { tasksAfterCall, todoItems } from './claude-code-tasks.ts'
import { claudeCodeToolUse } from './claude-code-tools.ts'

/** Reads a record of the type `assistant`. */
export function readAssistant(state: ClaudeCodeState, record: JsonObject): ClaudeCodeRead {
  const message = objectOf(record['message'])
  const content = field(message, 'content')
  if (record['isApiErrorMessage'] === true) return { state, events: [{ type: 'error', text: contentText(content) }] }
  const model = realModel(message)
  let current = state
  const events: EventBody[] = []
  for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)) {
    const read = readBlock(current, objectOf(block), model)
    current = read.state
    events.push(...read.events)
  }
  const counted = countTokens(current, message, model)
  return { state: counted.state, events: [...events, ...counted.events] }
}

/** The host writes messages in the model's place, for example after an interruption. They come from no model. */
function realModel(message: JsonObject | undefined): string | undefined {
  const model = firstText(message, 'model')
  return model === '<synthetic>' ? undefined : model
}

function readBlock(state: ClaudeCodeState, block: JsonObject | undefined, model: string | undefined): ClaudeCodeRead {
  const type = textOf(block?.['type'])
  if (type === 'text') {
    const text = firstText(block, 'text')
    return { state, events: text === undefined ? [] : [{ type: 'reply', text, ...knownFields({ model }) }] }
  }
  if (type === 'thinking') {
    const text = firstText(block, 'thinking')
    return { state, events: [text === undefined ? bookkeeping('thinking') : { type: 'thought', text }] }
  }
  if (type === 'redacted_thinking') return { state, events: [bookkeeping(type)] }
  if (block !== undefined && (type === 'tool_use' || type === 'server_tool_use')) return readCall(state, block)
  if (block !== undefined && type?.endsWith('_tool_result') === true)
    return { state, events: [claudeCodeResult(block, { answer: undefined, tool: undefined })] }
  return { state, events: [unknown(`assistant/${type ?? ''}`, jsonLength(block))] }
}

function readCall(state: ClaudeCodeState, block: JsonObject): ClaudeCodeRead {
  const id = firstText(block, 'id') ?? ''
  const tool = firstText(block, 'name') ?? ''
  const input = objectOf(block['input']) ?? {}
  const tasks = tasksAfterCall(state.tasks, { tool, call: id, input })
  const use = tasks === undefined ? claudeCodeToolUse(tool, input) : { does: 'todo' as const, items: todoItems(tasks) }
  return {
    state: { ...state, calls: keepOpenCall(state.calls, id, tool), tasks: tasks ?? state.tasks },
    events: [{ type: 'call', id, tool, input: block['input'] ?? null, use }],
  }
}

/** Every line of a message repeats its tokens, and a later line may know more. Only what was not counted yet is an event. */
function countTokens(
  state: ClaudeCodeState,
  message: JsonObject | undefined,
  model: string | undefined,
): ClaudeCodeRead {
  const usage = objectOf(field(message, 'usage'))
  const id = firstText(message, 'id')
  if (usage === undefined || id === undefined || model === undefined) return { state, events: [] }
  const total = totalsIn(usage)
  const more = tokensSince(state.counted?.message === id ? state.counted : noTokens, total)
  if (more.inputTokens + more.outputTokens + more.cachedTokens === 0) return { state, events: [] }
  return {
    state: { ...state, counted: { message: id, ...total } },
    events: [{ type: 'usage', model, ...more }],
  }
}

function totalsIn(usage: JsonObject): TokenTotals {
  const cached = numberOf(usage['cache_read_input_tokens']) ?? 0
  const made = numberOf(usage['cache_creation_input_tokens']) ?? 0
  return {
    input: (numberOf(usage['input_tokens']) ?? 0) + made + cached,
    output: numberOf(usage['output_tokens']) ?? 0,
    cached,
  }
}
