/** Where a session of Claude Code stands, which every record repeats, and which session it continues. */
import { firstText, objectOf, type JsonObject } from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import type { EventBody } from '../transcript-parser.ts'
import type { ClaudeCodeState } from './claude-code-state.ts'

/** Notes where the session stands now; a change of directory, branch, version or origin is an event. */
export function enterSession(
  state: ClaudeCodeState,
  record: JsonObject,
): readonly [ClaudeCodeState, readonly EventBody[]] {
  const own = firstText(record, 'sessionId')
  const session = state.session === '' ? (own ?? '') : state.session
  const from = origin(session, record)
  const seen = {
    cwd: firstText(record, 'cwd') ?? state.cwd,
    branch: firstText(record, 'gitBranch') ?? state.branch,
    version: firstText(record, 'version') ?? state.version,
    from: from?.session ?? state.from,
  }
  const isSame =
    seen.cwd === state.cwd && seen.branch === state.branch && seen.version === state.version && seen.from === state.from
  if (isSame) return [session === state.session ? state : { ...state, session }, []]
  const parent = seen.from === state.from ? undefined : from
  return [{ ...state, session, ...knownFields(seen) }, [sessionEvent(seen, parent)]]
}

interface Seen {
  readonly cwd: string | undefined
  readonly branch: string | undefined
  readonly version: string | undefined
  readonly from: string | undefined
}

type Parent = { readonly session: string; readonly why: 'resumed' | 'forked' | 'sub-agent' }

function sessionEvent({ cwd, branch, version }: Seen, parent: Parent | undefined): EventBody {
  return { type: 'session', ...knownFields({ cwd, branch, version, parent }) }
}

/** Where a record comes from: a fork names the session it copies; older versions resumed a session by copying it into a new file. */
function origin(session: string, record: JsonObject): Parent | undefined {
  const forked = firstText(objectOf(record['forkedFrom']), 'sessionId')
  if (forked !== undefined) return { session: forked, why: 'forked' }
  const own = firstText(record, 'sessionId')
  const isAgent = agentOf(record) !== undefined
  if (isAgent && own !== undefined) return { session: own, why: 'sub-agent' }
  return own === undefined || own === session ? undefined : { session: own, why: 'resumed' }
}

/** The sub-agent of a record. */
export function agentOf(record: JsonObject): string | undefined {
  if (record['isSidechain'] !== true) return undefined
  return firstText(record, 'agentId') ?? 'sidechain'
}
