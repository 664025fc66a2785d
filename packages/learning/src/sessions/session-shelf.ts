/** Agent sessions for a person or an agent to look through: list them, show the turns of one, forget one. */
import { isNodesError, type Node, type NodeLog } from '@agentm/nodes'
import { turnReading } from '@agentm/memory'
import { UnknownSessionError } from '../learning-errors.ts'
import { captureActor, privateSessionId } from './capture-session.ts'
import { privateSession } from './session-source.ts'
import type { SessionTurn } from './session-turn.ts'
import { type KeptTurn, keptTurn } from './pure/kept-turn.ts'
import { inSessions, type SessionSummary } from './pure/in-sessions.ts'
import { sessionTimeline } from './pure/session-timeline.ts'

/** Which sessions to list. */
export interface SessionFilter {
  readonly partition?: string
  /** The most sessions to list, newest first (default: 20). */
  readonly limit?: number
  /** Only turns that began at this time or later, and before that one; epoch milliseconds. */
  readonly from?: number
  readonly to?: number
  /** Only sessions with a turn that contains all of these words, in what was asked, said, run or changed. */
  readonly words?: string
}

/** The turns of one session, and the same as text. */
export interface SessionStory {
  readonly turns: readonly KeptTurn[]
  /** Absent if only turns of sub-agents were captured. */
  readonly summary?: SessionSummary
  readonly timeline: string
}

/** Agent sessions of one owner. */
export interface SessionShelf {
  /** Newest first. */
  list(filter?: SessionFilter): Promise<readonly SessionSummary[]>
  /** The turns of a session, oldest first: by the host's id of the session, the id of a turn, or a unique beginning of either. */
  show(id: string): Promise<SessionStory>
  /** Permanently deletes the turns of a session. The session is not captured again. */
  forget(id: string): Promise<{ readonly session: string; readonly turns: number }>
}

export interface SessionShelfOptions {
  readonly log: Pick<NodeLog, 'scan' | 'append' | 'redact'>
  readonly owner: string
}

/**
 * Opens the agent sessions of one owner.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { sessionShelf } from '@agentm/learning/sessions'
 * import { sessionConcepts } from '@agentm/learning/concepts'
 *
 * const { log } = createInMemoryStore({ concepts: [...sessionConcepts] })
 * console.log((await sessionShelf({ log, owner: 'ada' }).list()).length) // 0
 * ```
 */
export function sessionShelf({ log, owner }: SessionShelfOptions): SessionShelf {
  return {
    ...readSessions({ log, owner }),
    async forget(id) {
      const turns = await find(log, owner, id)
      const [first] = turns
      if (first === undefined) throw new UnknownSessionError(id)
      const { host, session } = first.turn
      await keepPrivate(log, owner, first.turn)
      for (const [i, { id: turn }] of turns.entries())
        await log.redact(turn, { owner, actor: captureActor, more: i < turns.length - 1 })
      return { session: `${host} ${session}`, turns: turns.length }
    },
  }
}

/** The same for a log that is only read. */
export function readSessions({
  log,
  owner,
}: {
  readonly log: Pick<NodeLog, 'scan'>
  readonly owner: string
}): Pick<SessionShelf, 'list' | 'show'> {
  return {
    async list({ partition, limit = 20, from = -Infinity, to = Infinity, words = '' } = {}) {
      const found: KeptTurn[] = []
      const sessions = new Set<string>()
      const hasWords = wordsIn(words)
      for await (const turn of newestTurns(log, owner, partition)) {
        const at = turn.at
        if (at < from || at >= to) continue
        found.push(turn)
        if (hasWords(turn)) sessions.add(sessionKey(turn))
        // One more session than wanted, because the oldest one may be incomplete.
        if (sessions.size > limit) break
      }
      return inSessions(found.filter((turn) => sessions.has(sessionKey(turn)))).slice(0, limit)
    },
    async show(id) {
      const turns = await find(log, owner, id)
      if (turns.length === 0) throw new UnknownSessionError(id)
      const inOrder = turns.toSorted((a, b) => a.turn.turn - b.turn.turn || a.at - b.at)
      const [summary] = inSessions(turns)
      return {
        turns: inOrder,
        ...(summary !== undefined && { summary }),
        // A session may have thousands of turns, and not everybody wants them as text.
        get timeline() {
          return sessionTimeline(inOrder)
        },
      }
    },
  }
}

function sessionKey({ turn: { host, session } }: KeptTurn): string {
  return `${host} ${session}`
}

/** Whether a turn contains all of these words. */
function wordsIn(text: string): (turn: KeptTurn) => boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return ({ turn, partition }) => {
    if (words.length === 0) return true
    const { session, branch = '', content } = turn
    const all = `${content} ${session} ${branch} ${partition}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
}

const pageSize = 200
// Older sessions are found by recall.
const mostLooked = 20_000

async function* newestTurns(
  log: Pick<NodeLog, 'scan'>,
  owner: string,
  partition: string | undefined,
): AsyncGenerator<KeptTurn> {
  let cursor: string | undefined
  for (let looked = 0; looked < mostLooked; looked += pageSize) {
    const page = await log.scan({
      owner,
      concepts: [turnReading.name],
      order: 'newest',
      limit: pageSize,
      ...(partition === undefined ? {} : { partition }),
      ...(cursor === undefined ? {} : { cursor }),
    })
    yield* keptOnes(page.nodes)
    cursor = page.cursor
    if (cursor === undefined) return
  }
}

/** A shorter beginning is a typing error rather than a choice. */
const leastPrefix = 4

async function find(log: Pick<NodeLog, 'scan'>, owner: string, wanted: string): Promise<readonly KeptTurn[]> {
  const short = wanted.replace(`${turnReading.name}:`, '')
  const found: KeptTurn[] = []
  let session: Pick<SessionTurn, 'host' | 'session'> | undefined
  const isWanted = (id: string) => id === short || (short.length >= leastPrefix && id.startsWith(short))
  const begins = ({ id, turn }: KeptTurn) => isWanted(turn.session) || isWanted(id.slice(turnReading.name.length + 1))
  for await (const each of newestTurns(log, owner, undefined)) {
    session ??= begins(each) ? each.turn : undefined
    if (begins(each) && session !== undefined && !isSame(each.turn, session)) return []
    found.push(each)
  }
  return session === undefined ? [] : found.filter(({ turn }) => isSame(turn, session))
}

function isSame(a: Pick<SessionTurn, 'host' | 'session'>, b: Pick<SessionTurn, 'host' | 'session'>): boolean {
  return a.host === b.host && a.session === b.session
}

function keptOnes(nodes: readonly Node[]): readonly KeptTurn[] {
  return nodes.flatMap((node) => keptTurn(node) ?? [])
}

/** The mark is written before anything is deleted, so that a capture that runs now does not bring it back. */
export async function keepPrivate(
  log: Pick<NodeLog, 'append'>,
  owner: string,
  { host, session }: Pick<SessionTurn, 'host' | 'session'>,
): Promise<void> {
  const id = privateSessionId(host, session)
  const draft = {
    concept: privateSession.name,
    id,
    payload: { ownerUserId: owner, host, session },
    mutation: 'keepSessionPrivate',
  }
  try {
    await log.append([draft], { owner, actor: captureActor, expects: { [id]: 0 } })
  } catch (error) {
    // It is private already.
    if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
  }
}
