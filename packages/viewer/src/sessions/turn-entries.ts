import type { WorkspaceReader } from '@agentm/workspace/reader'
import type { TurnEntries } from '../contract/sessions.ts'
import { entryRows } from './pure/entry-rows.ts'
import type { KeptTurn } from './shelves.ts'

const most = 400
/** A file of gigabytes may take longer than a person waits. */
const patienceMs = 20_000

/** Everything the host recorded in a turn, from its own file on this machine. */
export async function turnEntries(reader: WorkspaceReader, { turn }: KeptTurn): Promise<TurnEntries> {
  const { host, session, agent, records } = turn
  const wanted = { host, session, records, ...(agent !== undefined && { agent }) }
  const found = await reader.sessionEntries(wanted, { most, signal: AbortSignal.timeout(patienceMs) })
  if (found === undefined) return { isHere: false, entries: [], isCut: false }
  return { isHere: true, entries: entryRows(found.entries), isCut: found.isCut }
}
