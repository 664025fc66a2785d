/** How each coding agent is started, what it may do, and what its output means. */
import path from 'node:path'
import type { CodingAgentName } from './coding-agents.ts'
import { claudeCodeEvents } from './pure/claude-code-events.ts'
import { claudeCodeGrant } from './pure/claude-code-grant.ts'
import type { ParseLine, ParseText } from './pure/client-event.ts'
import type { GrantOf } from './pure/client-grant.ts'
import { codexEvents, codexText } from './pure/codex-events.ts'
import { codexGrant } from './pure/codex-grant.ts'
import { geminiEvents, geminiText } from './pure/gemini-events.ts'
import { geminiGrant } from './pure/gemini-grant.ts'
import { opencodeEvents, opencodeText } from './pure/opencode-events.ts'
import { opencodeGrant } from './pure/opencode-grant.ts'
import { claudeCodeEntry, codexEntry, geminiEntry } from './pure/session-entries.ts'
import type { SessionFiles } from './session-file.ts'

/** What a run asks for. The prompt is written to standard input, because arguments are visible to other users and limited in length. */
export interface ClientRequest {
  /** The session to resume. */
  readonly session: string | undefined
  readonly model: string | undefined
  readonly maxTurns: number | undefined
  /** What the plan may still spend, if its budget limits money. */
  readonly costMicrosLeft: number | undefined
  /** The arguments that the permissions need. */
  readonly granted: readonly string[]
}

export interface Client {
  readonly grant: GrantOf
  args(request: ClientRequest): readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly line: ParseLine
  /** For lines that are no JSON, of both streams. */
  readonly text: ParseText
  /** Absent for an agent that reports what it uses reply by reply, and for each run by itself. */
  readonly sessions?: SessionFiles
}

export const clients: Readonly<Record<CodingAgentName, Client>> = {
  'claude-code': {
    grant: claudeCodeGrant,
    args: ({ session, model, maxTurns, costMicrosLeft, granted }) => [
      '--print',
      ...option('--output-format', 'stream-json'),
      '--verbose',
      ...option('--resume', session),
      ...option('--model', model),
      ...option('--max-turns', maxTurns),
      ...option('--max-budget-usd', costMicrosLeft === undefined ? undefined : costMicrosLeft / 1_000_000),
      ...granted,
    ],
    environment: { DISABLE_AUTOUPDATER: '1' },
    line: claudeCodeEvents,
    text: () => [],
    sessions: {
      home: ['CLAUDE_CONFIG_DIR', '.claude'],
      below: ['projects', '*'],
      nameOf: (session) => `${path.sep}${session}.jsonl`,
      mark: 'cost-state',
      entry: claudeCodeEntry,
      isLive: false,
    },
  },
  codex: {
    grant: codexGrant,
    args: ({ session, model, granted }) => [
      ...(session === undefined ? ['exec'] : ['exec', 'resume']),
      '--json',
      '--skip-git-repo-check',
      ...option('-c', 'check_for_update_on_startup=false'),
      ...option('--model', model),
      ...granted,
      ...(session === undefined ? [] : [session]),
      '-',
    ],
    environment: {},
    line: codexEvents,
    text: codexText,
    sessions: {
      home: ['CODEX_HOME', '.codex'],
      below: ['sessions', '*', '*', '*'],
      nameOf: (session) => `-${session}.jsonl`,
      mark: 'token_usage_record',
      entry: codexEntry,
      isLive: true,
    },
  },
  gemini: {
    grant: geminiGrant,
    args: ({ session, model, granted }) => [
      ...option('--output-format', 'stream-json'),
      ...option('--resume', session),
      ...option('--model', model),
      ...granted,
    ],
    environment: {},
    line: geminiEvents,
    text: geminiText,
    sessions: {
      home: ['GEMINI_CLI_HOME', '.'],
      below: ['.gemini', 'tmp', '*', 'chats'],
      nameOf: (session) => `-${session.slice(0, 8)}.jsonl`,
      mark: '"tokens"',
      entry: geminiEntry,
      isLive: true,
    },
  },
  opencode: {
    grant: opencodeGrant,
    args: ({ session, model, granted }) => [
      'run',
      ...option('--format', 'json'),
      '--print-logs',
      ...option('--log-level', 'INFO'),
      ...option('--session', session),
      ...option('--model', model),
      ...granted,
    ],
    environment: {},
    line: opencodeEvents,
    text: opencodeText,
  },
}

function option(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [name, `${value}`]
}
