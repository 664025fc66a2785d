/** What stands in the place of the person: what they typed, what the host added, and the answers of tools. */
import {
  field,
  firstText,
  jsonLength,
  listOf,
  objectOf,
  textOf,
  type JsonObject,
  type JsonValue,
} from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import { takeOpenCall } from '../open-calls.ts'
import { unknown, type EventBody } from '../transcript-parser.ts'
import { claudeCodeText } from './claude-code-prompt.ts'
import { claudeCodeResult, contentText } from './claude-code-result.ts'
import type { ClaudeCodeRead, ClaudeCodeState } from './claude-code-state.ts'
import { tasksAfterResult } from './claude-code-tasks.ts'

/** Reads a record of the type `user`. */
export function readUser(state: ClaudeCodeState, record: JsonObject, isAgent: boolean): ClaudeCodeRead {
  const content = field(objectOf(record['message']), 'content')
  if (record['isCompactSummary'] === true)
    return { state, events: [{ type: 'compaction', summary: contentText(content) }] }
  const about = { isTyped: !isAgent && isTyped(record), id: messageId(record) }
  const blocks = typeof content === 'string' ? [content] : listOf(content)
  let current = state
  const events: EventBody[] = []
  for (const block of blocks) {
    const read = readUserBlock(current, block, { record, about })
    current = read.state
    events.push(...read.events)
  }
  return { state: current, events: mergePrompts(events) }
}

interface UserMessage {
  readonly record: JsonObject
  readonly about: { readonly isTyped: boolean; readonly id: string | undefined }
}

function readUserBlock(state: ClaudeCodeState, block: JsonValue, { record, about }: UserMessage): ClaudeCodeRead {
  if (typeof block === 'string') return { state, events: claudeCodeText(block, about) }
  const object = objectOf(block)
  const type = textOf(object?.['type'])
  if (type === 'text') return { state, events: claudeCodeText(firstText(object, 'text') ?? '', about) }
  if (object !== undefined && type === 'tool_result') return readResult(state, object, record)
  if (type === 'image' || type === 'document')
    return { state, events: [{ type: about.isTyped ? 'prompt' : 'context', text: `[${type}]` }] }
  return { state, events: [unknown(`user/${type ?? ''}`, jsonLength(block))] }
}

/** Several blocks that were typed are one prompt. */
function mergePrompts(events: readonly EventBody[]): readonly EventBody[] {
  const typed = events.filter((event) => event.type === 'prompt')
  const [first] = typed
  if (first === undefined || typed.length === 1) return events
  const id = typed.find((event) => event.id !== undefined)?.id
  const all = { ...first, text: typed.map(({ text }) => text).join('\n'), ...knownFields({ id }) }
  return events
    .filter((event) => event === first || event.type !== 'prompt')
    .map((event) => (event === first ? all : event))
}

/** What the person typed while the model was still at work; also notices of background tasks. */
export function readQueued(record: JsonObject, attachment: JsonObject, isAgent: boolean): readonly EventBody[] {
  const text = contentText(attachment['prompt'])
  const mode = firstText(attachment, 'commandMode')
  const isPerson = isTyped(record) && isTyped(attachment) && (mode === undefined || mode === 'prompt')
  const id = firstText(attachment, 'source_uuid') ?? messageId(record)
  return claudeCodeText(text, { isTyped: isPerson && !isAgent, id })
}

function isTyped(record: JsonObject): boolean {
  const from = firstText(objectOf(record['origin']), 'kind')
  const isOwn = ['isMeta', 'textNotTyped', 'turnCompanion', 'isVirtual'].some((mark) => record[mark] === true)
  const isFromTool = firstText(record, 'sourceToolUseID', 'sourceToolAssistantUUID') !== undefined
  const isSystem = record['promptSource'] === 'system'
  return !isOwn && !isFromTool && !isSystem && (from === undefined || from === 'human')
}

function messageId(record: JsonObject): string | undefined {
  return firstText(objectOf(record['forkedFrom']), 'messageUuid') ?? firstText(record, 'uuid')
}

function readResult(state: ClaudeCodeState, block: JsonObject, record: JsonObject): ClaudeCodeRead {
  const call = firstText(block, 'tool_use_id') ?? ''
  const { tool, calls } = takeOpenCall(state.calls, call)
  const answer = record['toolUseResult']
  const tasks = tool === 'TaskCreate' ? tasksAfterResult(state.tasks, call, answer) : state.tasks
  return { state: { ...state, calls, tasks }, events: [claudeCodeResult(block, { answer, tool })] }
}
