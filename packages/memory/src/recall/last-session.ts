/**
 * What was being done here when the last agent session ended, and what was left open. A session that begins does not have to be told
 * again. It is one entry of a bundle.
 */
import type { Head } from '@agentm/nodes'
import { globalPartition } from '../notes/pure/note-place.ts'
import { oneLine, shownId } from '../notes/pure/shown.ts'
import type { MemoryContext } from '../memory-context.ts'
import { turnReading } from '../nodes/node-readings.ts'
import type { Piece } from './pure/bundle.ts'

/** The agent session that begins. */
export interface BeginningSession {
  /** The name of its directory. Where there is no project, only sessions of a directory with this name count. */
  readonly directory: string
  /** The host's id of a session whose own turns are left out, because its agent still knows them. */
  readonly except?: string
}

const mostLooked = 40
const mostText = 400

export async function lastSessionPieces(
  { log, owner, project }: MemoryContext,
  { directory, except }: BeginningSession,
): Promise<readonly Piece[]> {
  if (log === undefined) return []
  const partition = project?.slug ?? globalPartition
  const query = { owner, concepts: [turnReading.name], partition, order: 'newest', limit: mostLooked } as const
  const turns = (await log.scan(query)).nodes.filter((turn) => {
    if (turn.redacted || textOf(turn, 'agent') !== '' || textOf(turn, 'session') === except) return false
    return project !== undefined || textOf(turn, 'directory') === directory
  })
  const [last] = turns.toSorted((a, b) => timeOf(b) - timeOf(a))
  return last === undefined ? [] : [pieceOf(last)]
}

function pieceOf(turn: Head): Piece {
  const open = turn.payload['open']
  const failed = failedIn(turn.payload['commands'])
  const lines = [
    `asked: ${oneLine(textOf(turn, 'asked'), mostText)}`,
    ...(textOf(turn, 'done') === '' ? [] : [`done: ${oneLine(textOf(turn, 'done'), mostText)}`]),
    ...(failed === undefined ? [] : [`the last command failed: ${oneLine(failed, mostText)}`]),
    ...(Array.isArray(open) ? open.map((item) => `left to do: ${oneLine(String(item), mostText)}`) : []),
  ]
  const when = new Date(timeOf(turn)).toISOString().slice(0, 16).replace('T', ' ')
  const text = lines.join('\n')
  return {
    label: `last session here: ${oneLine(textOf(turn, 'host'))}, ${when} UTC, ${turn.id.split(':').at(-1) ?? ''}`,
    source: 'from its transcript',
    text,
    ids: [shownId({ id: turn.id, text })],
  }
}

/** The last command of the turn, if it failed. */
function failedIn(commands: unknown): string | undefined {
  const last: unknown = Array.isArray(commands) ? commands.at(-1) : undefined
  if (typeof last !== 'object' || last === null || Reflect.get(last, 'failed') !== true) return undefined
  return String(Reflect.get(last, 'command'))
}

function timeOf({ payload, createdAt }: Head): number {
  return Date.parse(String(payload['startedAt'])) || createdAt
}

function textOf({ payload }: Head, field: string): string {
  const value = payload[field]
  return typeof value === 'string' ? value : ''
}
