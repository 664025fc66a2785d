/**
 * Claude Code: `projects/<directory>/<session>.jsonl` and `…/<session>/subagents/agent-<id>.jsonl`, one JSON object per line. A message
 * of the model is several lines with the same message id, one for each block of its content.
 */
import { field, firstText, jsonLength, objectOf, objectsOf, textOf, timeOf, type JsonObject } from '../json-object.ts'
import { beginning, bookkeeping, defineParser, unknown, type EventBody } from '../transcript-parser.ts'
import { readAssistant } from './claude-code-model.ts'
import { contentText } from './claude-code-result.ts'
import { agentOf, enterSession } from './claude-code-session.ts'
import type { ClaudeCodeRead, ClaudeCodeState } from './claude-code-state.ts'
import { readQueued, readUser } from './claude-code-user.ts'

/** Reads the session files of Claude Code. */
export const claudeCodeParser = defineParser<ClaudeCodeState>({
  host: 'claude-code',
  start: (about) => ({ ...beginning(about), calls: {}, tasks: [] }),
  read: (before, record) => {
    const [state, session] = enterSession(before, record)
    const agent = state.agent ?? agentOf(record)
    const read = readKind(state, record, agent !== undefined)
    return { state: read.state, events: [...session, ...read.events], at: timeOf(record['timestamp']), agent }
  },
})

function readKind(state: ClaudeCodeState, record: JsonObject, isAgent: boolean): ClaudeCodeRead {
  const type = textOf(record['type'])
  if (type === 'user') return readUser(state, record, isAgent)
  if (type === 'assistant') return readAssistant(state, record)
  if (type === 'system') return { state, events: readSystem(record) }
  if (type === 'attachment') return { state, events: readAttachment(record, isAgent) }
  if (type === 'summary' || type === 'custom-title' || type === 'ai-title') return { state, events: readTitle(record) }
  const isKnown = type !== undefined && quiet.has(type)
  return { state, events: [isKnown ? bookkeeping(type) : unknown(type, jsonLength(record))] }
}

/** Records about the program, not about the work. */
const quiet = new Set([
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'atis-latch',
  'cost-state',
  'tools-used',
  'agent-color',
  'agent-name',
  'agent-setting',
  'content-replacement',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'saved_hook_context',
  'tag',
  'worktree-state',
])

function readTitle(record: JsonObject): readonly EventBody[] {
  const title = firstText(record, 'summary', 'customTitle', 'aiTitle', 'title')
  return title === undefined ? [bookkeeping(record['type'])] : [{ type: 'session', title }]
}

/** The summary that follows `compact_boundary` is the event of a compaction. */
function readSystem(record: JsonObject): readonly EventBody[] {
  const kind = textOf(record['subtype'])
  const text = firstText(record, 'content') ?? ''
  if (kind === 'microcompact_boundary') return [{ type: 'compaction' }]
  if (kind === 'api_error') return [{ type: 'error', text: errorText(record) }]
  if (record['level'] === 'error' && text !== '') return [{ type: 'error', text }]
  const isShown = kind === 'local_command' && text !== ''
  return isShown ? [{ type: 'context', text }] : [bookkeeping(kind === undefined ? 'system' : `system/${kind}`)]
}

function errorText(record: JsonObject): string {
  const error = objectOf(record['error'])
  const inner = objectOf(field(objectOf(field(error, 'error')), 'error'))
  return (
    firstText(inner, 'message') ??
    firstText(error, 'message', 'formatted') ??
    firstText(record, 'content') ??
    'API error'
  )
}

function readAttachment(record: JsonObject, isAgent: boolean): readonly EventBody[] {
  const attachment = objectOf(record['attachment'])
  const type = textOf(attachment?.['type'])
  if (attachment === undefined || type === undefined) return [unknown('attachment', jsonLength(record))]
  if (type === 'queued_command') return readQueued(record, attachment, isAgent)
  const shown = objectsOf(record['rendered']).flatMap((part) => firstText(part, 'content') ?? [])
  const text = shown.length > 0 ? shown.join('\n') : attachmentText(attachment)
  return text === '' ? [bookkeeping(`attachment/${type}`)] : [{ type: 'context', text }]
}

function attachmentText(attachment: JsonObject): string {
  const content = attachment['content']
  const inner = objectOf(content)
  return firstText(inner, 'content') ?? firstText(attachment, 'stdout', 'stderr', 'snippet') ?? contentText(content)
}
