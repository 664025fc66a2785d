/**
 * The indexed items of one concept in one blob, with the change number it represents. A cold process reads the blob and then the rows that
 * changed since. The blob is derived data: it is ignored if it is damaged, of another epoch, or of another concept.
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
  /** The entries by the key of their row. */
  readonly byRow: Map<number, RecallEntry>
}

/** Fewer items than this are read equally fast row by row, so they are not packed. */
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
  // Writing all items again costs about as much as ten reads of the changed rows, so it is worth it from here.
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
