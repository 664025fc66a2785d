/** Sessions and turns as the page shows them. Secrets that were stored are not shown. */
import { redactSecrets } from '@agentm/nodes'
import type { RanCommand, SessionRow, TurnBar, TurnRow } from '../../contract/sessions.ts'
import { short } from '../../pure/short.ts'
import type { KeptTurn, SessionSummary } from '../shelves.ts'

export function sessionRow(summary: SessionSummary): SessionRow {
  const { host, session, partition, startedAt, endedAt, turns, agents, asked, done, open, branch, tokens } = summary
  return {
    host,
    id: session,
    project: partition === '_global' ? '' : partition,
    startedAt,
    endedAt,
    turns,
    agents,
    asked: redactSecrets(asked),
    ...(done !== undefined && { done: redactSecrets(done) }),
    open: open.length,
    ...(branch !== undefined && { branch }),
    ...(tokens !== undefined && { tokens }),
  }
}

/** A session of which only sub-agents were captured. */
export function rowWithoutPerson(turns: readonly KeptTurn[]): SessionRow {
  const [first] = turns
  const agents = new Set(turns.flatMap(({ turn }) => turn.agent ?? [])).size
  const base = { startedAt: first?.at ?? 0, endedAt: Math.max(0, ...turns.slice(-100).map(endOf)), turns: 0, agents }
  return {
    ...base,
    host: first?.turn.host ?? '',
    id: first?.turn.session ?? '',
    project: first === undefined || first.partition === '_global' ? '' : first.partition,
    asked: redactSecrets(first?.turn.task ?? ''),
    open: 0,
  }
}

export function turnRow(kept: KeptTurn): TurnRow {
  const { id, at, turn } = kept
  const { agent, task, done, model, branch, tokens, files, commands, fixes, decisions } = turn
  return {
    id: short(id),
    number: turn.turn,
    ...(agent !== undefined && { agent }),
    ...(task !== undefined && { task: redactSecrets(task) }),
    asked: redactSecrets(turn.asked),
    ...(done !== undefined && { done: redactSecrets(done) }),
    at,
    endedAt: endOf(kept),
    ...(model !== undefined && { model }),
    ...(branch !== undefined && { branch }),
    files: files ?? [],
    commands: (commands ?? []).map(commandRow),
    fixes: (fixes ?? []).map(({ command, error, by }) => ({
      command: redactSecrets(command),
      error: redactSecrets(error),
      by: by.map((each) => redactSecrets(each)),
    })),
    decisions: (decisions ?? []).map(({ text, by }) => ({ text: redactSecrets(text), by })),
    open: (turn.open ?? []).map((each) => redactSecrets(each)),
    errors: (turn.errors ?? []).map((each) => redactSecrets(each)),
    ...(tokens !== undefined && { tokens }),
    isOpen: turn.isOpen === true,
  }
}

function commandRow({
  command,
  failed,
  exitCode,
  error,
}: NonNullable<KeptTurn['turn']['commands']>[number]): RanCommand {
  return {
    command: redactSecrets(command),
    failed,
    ...(exitCode !== undefined && { exitCode }),
    ...(error !== undefined && { error: redactSecrets(error) }),
  }
}

/** More rows than these say no more to anybody. */
const mostRows = 7

/** The agent of the person has row 0. A sub-agent stands in the first row below that is free while it works. Turns come by time. */
export function turnBars(turns: readonly KeptTurn[]): readonly TurnBar[] {
  /** Until when each row below the first is taken. */
  const taken: number[] = []
  return turns.map((kept) => {
    const { agent, commands = [] } = kept.turn
    const end = endOf(kept)
    const hasFailed = commands.some(({ failed }) => failed) ? 1 : 0
    return [short(kept.id), kept.at, end, agent === undefined ? 0 : rowFor(taken, kept.at, end), hasFailed]
  })
}

function rowFor(taken: number[], at: number, end: number): number {
  const free = taken.findIndex((until) => until <= at)
  const row = free >= 0 ? free : Math.min(taken.length, mostRows - 1)
  taken[row] = Math.max(taken[row] ?? end, end)
  return row + 1
}

export function endOf({ at, turn }: KeptTurn): number {
  const end = Date.parse(turn.endedAt ?? '')
  return Number.isNaN(end) ? at : Math.max(at, end)
}
