/** Turns by the session that they belong to, with what a person wants to know of each session first. */
import type { SessionTurn } from '../session-turn.ts'
import type { KeptTurn } from './kept-turn.ts'

/** An agent session in short. */
export interface SessionSummary {
  readonly host: SessionTurn['host']
  readonly session: string
  readonly partition: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  readonly turns: number
  readonly directory?: string
  readonly branch?: string
  /** What the person asked first, and last. */
  readonly asked: string
  readonly askedLast: string
  /** What the agent said last. */
  readonly done?: string
  /** The items of its plan that were open at the end. */
  readonly open: readonly string[]
  /** The id of its last turn. */
  readonly lastTurn: string
  /** How many sub-agents worked in it. */
  readonly agents: number
  /** Of the person's agent and its sub-agents, where the host says. */
  readonly tokens?: { readonly input: number; readonly output: number }
}

/** Newest first. What sub-agents did is counted with the session that started them. */
export function inSessions(turns: readonly KeptTurn[]): readonly SessionSummary[] {
  const bySession = new Map<string, KeptTurn[]>()
  for (const each of turns) {
    const key = `${each.turn.host} ${each.turn.session}`
    const known = bySession.get(key)
    if (known === undefined) bySession.set(key, [each])
    else known.push(each)
  }
  return [...bySession.values()].flatMap(summaryOf).toSorted((a, b) => b.endedAt - a.endedAt)
}

function summaryOf(all: readonly KeptTurn[]): readonly SessionSummary[] {
  const own = all.filter(({ turn }) => turn.agent === undefined).toSorted((a, b) => a.at - b.at)
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined) return []
  const { host, session, directory, branch, done } = last.turn
  const tokens = tokensOf(all)
  return [
    {
      host,
      session,
      partition: last.partition,
      startedAt: first.at,
      endedAt: Math.max(...own.map(({ at, turn }) => Date.parse(turn.endedAt ?? '') || at)),
      turns: own.length,
      ...(directory === undefined ? {} : { directory }),
      ...(branch === undefined ? {} : { branch }),
      asked: first.turn.asked,
      askedLast: last.turn.asked,
      ...(done === undefined ? {} : { done }),
      open: last.turn.open ?? [],
      lastTurn: last.id,
      agents: new Set(all.flatMap(({ turn }) => turn.agent ?? [])).size,
      ...(tokens === undefined ? {} : { tokens }),
    },
  ]
}

function tokensOf(turns: readonly KeptTurn[]): SessionSummary['tokens'] {
  const counted = turns.flatMap(({ turn }) => turn.tokens ?? [])
  if (counted.length === 0) return undefined
  const sum = (of: 'input' | 'output') => counted.reduce((total, tokens) => total + tokens[of], 0)
  return { input: sum('input'), output: sum('output') }
}
