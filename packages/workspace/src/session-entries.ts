/** Everything that a coding agent recorded in one turn, from the file that its host keeps on this machine. The log holds only excerpts of it. */
import { findSessions, readSession, type SessionSource, type TranscriptEvent } from '@agentm/transcripts'
import type { WorkspaceBase } from './workspace-base.ts'
import { sessionSurroundings } from './session-surroundings.ts'

/** A turn of an agent session, as the log names it. */
export interface WantedTurn {
  readonly host: SessionSource['host']
  /** The host's id of the agent session. */
  readonly session: string
  /** The sub-agent that worked in the turn. */
  readonly agent?: string
  /** The first and the last record of the turn in the host's file. */
  readonly records: readonly [number, number]
}

/** The entries of a turn, oldest first. */
export interface TurnEntries {
  readonly entries: readonly TranscriptEvent[]
  /** There are more than these. */
  readonly isCut: boolean
}

/** `undefined` if the host no longer keeps the session on this machine. */
export async function sessionEntries(
  { config, world }: Pick<WorkspaceBase, 'config' | 'world'>,
  turn: WantedTurn,
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal | undefined },
): Promise<TurnEntries | undefined> {
  const around = sessionSurroundings(world, (await config()).values)
  const { sessions } = await findSessions({ ...around, hosts: [turn.host] })
  const ofSession = sessions.filter((source) => isOf(source, turn.session))
  // A sub-agent has a file of its own, or its entries stand in that of the agent that started it.
  const source =
    ofSession.find(({ agent }) => agent === turn.agent) ?? ofSession.find(({ agent }) => agent === undefined)
  if (source === undefined) return undefined
  const [first, last] = turn.records
  const entries: TranscriptEvent[] = []
  for await (const { events } of readSession(source, { ...around, signal })) {
    for (const event of events) {
      if (event.record < first || event.record > last) continue
      if (entries.length === most) return { entries, isCut: true }
      entries.push(event)
    }
    if ((events.at(-1)?.record ?? 0) > last) break
  }
  return { entries, isCut: false }
}

/** Some hosts name a file after the beginning of the id only. */
function isOf({ session, agent, source }: SessionSource, wanted: string): boolean {
  if (session !== undefined) return session === wanted
  return agent === undefined && wanted.length >= 8 && (source.split('/').at(-1) ?? '').includes(wanted.slice(0, 8))
}
