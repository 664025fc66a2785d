/** How a session of Codex begins: its id, its directory, and the session that it was forked or asked from. */
import { field, firstText, numberOf, objectOf, type JsonObject } from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import { bookkeeping } from '../transcript-parser.ts'
import type { CodexRead, CodexState } from './codex-state.ts'

/** Reads `session_meta`. The first one is that of this session; a fork copies those of its parents behind it. */
export function readCodexSession(state: CodexState, meta: JsonObject): CodexRead {
  if (state.isBegun) return { state, events: [bookkeeping('session_meta')] }
  const thread = firstText(meta, 'id') ?? state.session
  const parent = parentOf(meta)
  const isAgent = parent?.why === 'sub-agent'
  const root = firstText(meta, 'session_id') ?? thread
  const session = isAgent && root === thread ? parent.session : root
  const ownFrom = numberOf(meta['subagent_history_start_ordinal'])
  const begun = { ...state, isBegun: true, session, ...(isAgent ? { agent: thread } : {}) }
  const event = sessionEvent(meta, parent)
  return {
    state: { ...begun, ...knownFields({ cwd: event.cwd, ownFrom }) },
    events: [event],
  }
}

type Parent = { readonly session: string; readonly why: 'forked' | 'sub-agent' }

function sessionEvent(meta: JsonObject, parent: Parent | undefined) {
  const cwd = firstText(meta, 'cwd')
  const version = firstText(meta, 'cli_version')
  const branch = firstText(objectOf(meta['git']), 'branch')
  return { type: 'session' as const, ...knownFields({ cwd, version, branch, parent }) }
}

function parentOf(meta: JsonObject): Parent | undefined {
  const source = objectOf(meta['source'])
  const spawned = objectOf(field(objectOf(field(source, 'subagent')), 'thread_spawn'))
  const parent = firstText(meta, 'parent_thread_id') ?? firstText(spawned, 'parent_thread_id')
  const isAgent =
    field(source, 'subagent') !== undefined || meta['thread_source'] === 'subagent' || spawned !== undefined
  const forked = firstText(meta, 'forked_from_id')
  const root = firstText(meta, 'session_id')
  if (isAgent) return { session: parent ?? forked ?? root ?? '', why: 'sub-agent' }
  return forked === undefined ? undefined : { session: forked, why: 'forked' }
}
