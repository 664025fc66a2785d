/** Where each host stores its sessions below its data directory, and what the name of a place tells of the session. */
import type { TranscriptHost } from '../transcript-hosts.ts'
import type { SessionIdentity } from './transcript-parser.ts'

const any = /^[^.]/
const ownFolder = /./

/** For each place of sessions, one expression per level. */
export const sourcePatterns: Readonly<Record<TranscriptHost, readonly (readonly RegExp[])[]>> = {
  'claude-code': [
    [/^projects$/, ownFolder, /\.jsonl$/],
    [/^projects$/, ownFolder, any, /^subagents$/, /^agent-.*\.jsonl$/],
    [/^projects$/, ownFolder, any, /^subagents$/, any, /^agent-.*\.jsonl$/],
    [/^projects$/, ownFolder, any, /^subagents$/, any, any, /^agent-.*\.jsonl$/],
  ],
  codex: [
    [/^sessions$/, /^\d{4}$/, /^\d\d$/, /^\d\d$/, /^rollout-.*\.jsonl(?:\.zst)?$/],
    [/^archived_sessions$/, /^rollout-.*\.jsonl(?:\.zst)?$/],
  ],
  gemini: [
    [/^tmp$/, ownFolder, /^chats$/, /^session-.*\.jsonl?$/],
    [/^tmp$/, ownFolder, /^chats$/, any, /\.jsonl?$/],
  ],
  opencode: [[/^storage$/, /^session$/, ownFolder, /^ses.*\.json$/], [/^opencode(?:-.*)?\.db$/]],
  plain: [[/\.jsonl$/], [any, /\.jsonl$/], [any, any, /\.jsonl$/], [any, any, any, /\.jsonl$/]],
}

/** What the name of a place tells. */
export function sourceFacts(host: TranscriptHost, source: string): SessionIdentity {
  const parts = source.split('/')
  const name = (parts.at(-1) ?? '').replace(/\.jsonl?$/, '')
  if (host === 'claude-code') return claudeCodeFacts(parts, name)
  if (host === 'codex') return codexFacts(name)
  if (host === 'gemini') return geminiFacts(parts, name)
  if (host === 'opencode') return { session: name }
  return host === 'plain' ? { session: parts.join('/').replace(/\.jsonl$/, '') } : {}
}

function claudeCodeFacts(parts: readonly string[], name: string): SessionIdentity {
  const agent = /^agent-(.+)$/.exec(name)?.[1]
  if (agent === undefined) return { session: name }
  const session = parts.at(parts.indexOf('subagents') - 1)
  return parts.includes('subagents') && session !== undefined ? { session, agent } : { agent }
}

/** `rollout-<time>-<session>`, with the id of a reverted copy after an underscore. */
function codexFacts(name: string): SessionIdentity {
  const session = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([^_]+)/.exec(name)?.[1]
  return session === undefined ? {} : { session }
}

/** The name of a session has only the beginning of its id; that of a sub-agent stands below the whole id. */
function geminiFacts(parts: readonly string[], name: string): SessionIdentity {
  const session = parts.at(-2)
  return parts.length > 4 && session !== undefined ? { session, agent: name } : {}
}
