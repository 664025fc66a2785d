/**
 * What was put under one concept, in one blob with the change that it stands for: a process that starts cold reads that, and
 * the rows that changed since. Derived, and never the last word: a blob that is not exactly what was packed, of another epoch
 * or of something else is as if it were not there.
 */
import type { RecallEntry } from '@agentm/nodes'
import type { Connection } from './connection.ts'
import { packEntries, unpackEntries } from './pure/packed-entries.ts'

export interface EntriesOf {
  readonly owner: string
  readonly concept: string
  readonly epoch: number
}

export interface PackedUpTo {
  readonly change: number
  /** By key of the row. */
  readonly byRow: Map<number, RecallEntry>
}

/** So few are read as quickly row by row. */
const fewest = 500

export function readPack(reader: Connection, of: EntriesOf): PackedUpTo | undefined {
  const row = reader.get('select upto, data from entry_packs where owner = ? and concept = ?', of.owner, of.concept)
  if (!(row?.['data'] instanceof Uint8Array)) return undefined
  const change = Number(row['upto'])
  const byRow = unpackEntries(row['data'], { stamp: stampOf(of, change), concept: of.concept })
  return byRow === undefined ? undefined : { change, byRow }
}

export function isPackWanted(reader: Connection, { owner, concept }: EntriesOf, held: PackedUpTo): boolean {
  const { byRow, change } = held
  const upto = reader.number('select upto from entry_packs where owner = ? and concept = ?', owner, concept)
  // To write all of them anew is no more work than to read so many as rows some ten times.
  return byRow.size >= fewest && change - upto >= byRow.size / 16
}

export function writePack(writer: Connection, of: EntriesOf, { change, byRow }: PackedUpTo): void {
  const rows = Array.from(byRow, ([key, { id, source, partition, data }]) => ({ key, id, source, partition, data }))
  const data = packEntries(rows, stampOf(of, change))
  if (data === undefined) dropPacks(writer, of.owner)
  else
    writer.run(
      'insert or replace into entry_packs (owner, concept, upto, data) values (?, ?, ?, ?)',
      of.owner,
      of.concept,
      change,
      data,
    )
}

export function dropPacks(writer: Connection, owner: string): void {
  writer.run('delete from entry_packs where owner = ?', owner)
}

function stampOf({ owner, concept, epoch }: EntriesOf, change: number): string {
  return JSON.stringify([owner, concept, epoch, change])
}
