/** The sample files of the real clients, and where a test finds them. */
import { fileURLToPath } from 'node:url'
import type { SessionSource, HostSurroundings, TranscriptEvent, SessionCursor } from '@agentm/transcripts'
import { readSession } from '@agentm/transcripts'

const samples = fileURLToPath(new URL('samples', import.meta.url))

/** The surroundings in which the samples are the data of the hosts. */
export const sampleSurroundings: HostSurroundings = {
  home: samples,
  env: {},
  roots: {
    'claude-code': `${samples}/claude-code`,
    codex: `${samples}/codex`,
    gemini: `${samples}/gemini`,
    opencode: `${samples}/opencode`,
  },
}

/** Everything that a read gives, and the last cursor. */
export async function readAll(
  source: SessionSource,
  options: Parameters<typeof readSession>[1],
): Promise<{
  readonly events: TranscriptEvent[]
  readonly cursor: SessionCursor | undefined
  readonly restarted: boolean
}> {
  const events: TranscriptEvent[] = []
  let cursor = options?.cursor
  let restarted = false
  for await (const batch of readSession(source, options)) {
    events.push(...batch.events)
    // A cursor is stored as JSON, so every test reads it back from there.
    cursor = JSON.parse(JSON.stringify(batch.cursor)) as SessionCursor
    restarted ||= batch.restarted
  }
  return { events, cursor, restarted }
}

/** The events of a type, without their places. */
export function bodies(events: readonly TranscriptEvent[], ...types: readonly TranscriptEvent['type'][]): object[] {
  return events
    .filter(({ type }) => types.includes(type))
    .map((event) => {
      const { host: _host, session: _session, record: _record, at: _at, agent: _agent, ...body } = event
      return body
    })
}
