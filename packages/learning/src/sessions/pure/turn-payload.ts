/** The payload of a turn's node: what was folded, without empty fields, and the text that recall searches. */
import type { TranscriptHost } from '@agentm/transcripts'
import { redactFields } from '@agentm/nodes'
import { type SessionTurn, sessionTurn } from '../session-turn.ts'
import type { FoldedTurn } from './session-fold.ts'

export interface TurnOrigin {
  readonly owner: string
  readonly host: TranscriptHost
  readonly session: string
}

/** `isOpen`: no later prompt was read yet. */
export function turnPayload(
  turn: FoldedTurn,
  { owner, host, session }: TurnOrigin,
  { isOpen }: { readonly isOpen: boolean },
): SessionTurn {
  const files = Object.entries(turn.files).map(([file, how]) => ({ file, how }))
  const { commands, fixes, decisions, open, errors } = turn
  const payload: SessionTurn = {
    ownerUserId: owner,
    host,
    session,
    turn: turn.turn,
    records: [turn.first, turn.last],
    ...given('startedAt', isoOf(turn.startedAt)),
    ...given('endedAt', isoOf(turn.endedAt)),
    ...given('directory', turn.cwd === undefined ? undefined : directoryOf(turn.cwd)),
    ...given('branch', turn.branch),
    ...given('model', turn.model),
    ...given('agent', turn.agent),
    ...given('task', turn.task),
    asked: turn.asked,
    ...given('done', turn.done),
    ...filled('files', files),
    ...filled('commands', [...commands]),
    ...filled(
      'fixes',
      fixes.map((fix) => ({ ...fix, by: [...fix.by] })),
    ),
    ...filled('decisions', [...decisions]),
    ...filled('open', [...open]),
    ...filled('errors', [...errors]),
    ...given('tokens', turn.input + turn.output === 0 ? undefined : { input: turn.input, output: turn.output }),
    ...given('unknown', turn.unknown === 0 ? undefined : turn.unknown),
    ...given('isOpen', isOpen || undefined),
    content: contentOf(turn, files),
  }
  // As the log will store it, so that it can be compared with what the log has.
  return redactFields(payload, sessionTurn.verbatim) as SessionTurn
}

const mostNamed = 20

/** What recall searches, and shows. */
function contentOf(turn: FoldedTurn, files: readonly { readonly file: string }[]): string {
  const failed = turn.commands.filter(({ failed: isFailed }) => isFailed)
  const passed = turn.commands.filter(({ failed: isFailed }) => !isFailed)
  const lines = [
    turn.task === undefined ? `Asked: ${turn.asked}` : `Task of a sub-agent: ${turn.task}`,
    turn.done === undefined ? '' : `Done: ${turn.done}`,
    listed(
      'Decided',
      turn.decisions.map(({ text }) => text),
    ),
    listed(
      'Fixed',
      turn.fixes.map(({ command, error, by }) => `${command}: ${error} (${by.join(', ')})`),
    ),
    listed(
      'Failed',
      failed.map(({ command, error }) => (error === undefined ? command : `${command}: ${error}`)),
    ),
    listed(
      'Ran',
      passed.map(({ command }) => command),
    ),
    listed(
      'Files',
      files.map(({ file }) => file),
    ),
    listed('Left to do', turn.open),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function listed(name: string, items: readonly string[]): string {
  const named = [...new Set(items)].slice(0, mostNamed)
  return named.length === 0 ? '' : `${name}: ${named.join('; ')}`
}

function directoryOf(cwd: string): string | undefined {
  return cwd.split(/[/\\]/).findLast((part) => part !== '')
}

const latestTime = Date.UTC(9999, 0)

function isoOf(at: number | undefined): string | undefined {
  return at === undefined || !(at >= 0 && at < latestTime) ? undefined : new Date(at).toISOString()
}

function filled<K extends string, T>(key: K, items: readonly T[]): { readonly [P in K]?: T[] } {
  return given(key, items.length === 0 ? undefined : [...items])
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
}
