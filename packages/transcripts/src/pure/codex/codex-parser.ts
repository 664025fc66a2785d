/**
 * Codex: `sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`. Each line is `{ timestamp, type, payload }`; before September 2025 it was the
 * payload alone. What the person typed and what the model said stand there twice: as an item for the model and as an event for the display.
 */
import { firstText, jsonLength, numberOf, objectOf, textOf, timeOf, type JsonObject } from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import { noTokens } from '../token-totals.ts'
import { beginning, bookkeeping, defineParser, unknown } from '../transcript-parser.ts'
import { readCodexEvent } from './codex-event.ts'
import { isCodexItem, readCodexItem } from './codex-item.ts'
import { agentMessage } from './codex-saying.ts'
import { readCodexSession } from './codex-session.ts'
import type { CodexRead, CodexState } from './codex-state.ts'

/** Reads the session files of Codex. */
export const codexParser = defineParser<CodexState>({
  host: 'codex',
  start: (about) => ({
    ...beginning(about),
    isBegun: false,
    calls: {},
    codes: {},
    said: [],
    total: noTokens,
  }),
  read: (state, record) => ({ ...readRecord(state, record), at: timeOf(record['timestamp']) }),
})

function readRecord(state: CodexState, record: JsonObject): CodexRead {
  const type = textOf(record['type'])
  const payload = objectOf(record['payload'])
  if (payload === undefined) return readOldRecord(state, record)
  const ordinal = numberOf(record['ordinal'])
  const isInherited = state.ownFrom !== undefined && ordinal !== undefined && ordinal < state.ownFrom
  if (isInherited) return { state, events: [bookkeeping('inherited')] }
  if (type === 'session_meta') return readCodexSession(state, payload)
  if (type === 'turn_context') return readTurnContext(state, payload)
  if (type === 'response_item') return readCodexItem(state, payload)
  if (type === 'event_msg') return readCodexEvent(state, payload)
  if (type === 'compacted')
    return { state, events: [{ type: 'compaction', ...knownFields({ summary: firstText(payload, 'message') }) }] }
  if (type === 'inter_agent_communication') return { state, events: [agentMessage(payload)] }
  return { state, events: [quietRecords.has(type ?? '') ? bookkeeping(type) : unknown(type, jsonLength(record))] }
}

const quietRecords = new Set([
  'inter_agent_communication_metadata',
  'security_risk_score',
  'token_usage_record',
  'world_state',
])

/** A line of the old form is the item itself; the first one has the id of the session and no type. */
function readOldRecord(state: CodexState, record: JsonObject): CodexRead {
  const type = textOf(record['type'])
  if (type !== undefined)
    return isCodexItem(type) ? readCodexItem(state, record) : { state, events: [unknown(type, jsonLength(record))] }
  if (record['record_type'] !== undefined) return { state, events: [bookkeeping('record_type/state')] }
  const isFirst = firstText(record, 'id') !== undefined && record['timestamp'] !== undefined
  return isFirst ? readCodexSession(state, record) : { state, events: [unknown(undefined, jsonLength(record))] }
}

function readTurnContext(before: CodexState, payload: JsonObject): CodexRead {
  const cwd = firstText(payload, 'cwd') ?? before.cwd
  const model = firstText(payload, 'model') ?? before.model
  const state = { ...before, ...knownFields({ cwd, model }) }
  const isMoved = cwd !== undefined && cwd !== before.cwd
  return { state, events: [isMoved ? { type: 'session', cwd } : bookkeeping('turn_context')] }
}
