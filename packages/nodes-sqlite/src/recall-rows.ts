/**
 * What recall ranks, one row per thing. A row's key stands for its text: another text is another row, so whatever is
 * derived from the text (words, vector, packed segments) can never be mistaken for the new one's.
 */
import { type ItemVector, type Payload, unitVector } from '@agentm/nodes'
import { lexicalText } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'

export interface RecallRow {
  readonly id: string
  readonly concept: string
  readonly owner: string
  readonly partition: string
  readonly source: string
  readonly status: string | undefined
  readonly createdAt: number
  /** Of a node; absent for what was put. */
  readonly seq: number | undefined
  readonly isPut: boolean
  readonly data: Payload | undefined
  /** Default: nothing to find. */
  readonly text: string | undefined
  readonly active?: boolean
  readonly agesFrom?: number
}

export interface RecallChange {
  /** The row it has so far. */
  readonly known: number | undefined
  readonly sameText: boolean
  readonly vector: (ItemVector & { readonly number: number }) | undefined
}

/** Answers the key the thing has from now on; none where there is nothing to find. */
export function writeRecallRow(writer: Connection, row: RecallRow, change: RecallChange): number | undefined {
  const { known, sameText, vector } = change
  if (known !== undefined && sameText && row.text !== undefined) {
    if (row.isPut) updateItem(writer, row, row.text, known)
    else updateNode(writer, row, known)
    if (vector !== undefined) storeVector(writer, known, vector)
    return known
  }
  if (known !== undefined) dropRecallRow(writer, known)
  return row.text === undefined ? undefined : insertRow(writer, row, row.text, vector)
}

export function dropRecallRow(writer: Connection, key: number): void {
  // First, because numbers are counted from the newest row, and that may be this one.
  writer.changes.stir(key)
  writer.run('delete from recall where key = ?', key)
  writer.run('delete from words where rowid = ?', key)
}

export function storeVector(
  writer: Connection,
  key: number,
  { values, number }: { readonly values: ArrayLike<number>; readonly number: number },
): void {
  writer.run('update recall set embedder = ?, unit = ? where key = ?', number, bytesOf(values), key)
  writer.changes.stir(key)
}

function bytesOf(values: ArrayLike<number>): Uint8Array {
  return new Uint8Array(unitVector(values).buffer)
}

function updateItem(writer: Connection, row: RecallRow, text: string, key: number): void {
  writer.run(
    `update recall set partition = ?, source = ?, status = ?, active = ?, created_at = ?, ages_from = ?, text = ?, data = ?
      where key = ?`,
    row.partition,
    row.source,
    row.status ?? null,
    row.active === false ? 0 : 1,
    row.createdAt,
    row.agesFrom ?? row.createdAt,
    text,
    row.data === undefined ? null : JSON.stringify(row.data),
    key,
  )
  writer.changes.stir(key)
}

/** The rest of it is as the first version made it. */
function updateNode(writer: Connection, row: RecallRow, key: number): void {
  const kept = writer.get(
    'update recall set seq = ?, status = ?, active = ?, created_at = ?, ages_from = ? where key = ? returning embedder',
    row.seq ?? null,
    row.status ?? null,
    row.active === false ? 0 : 1,
    row.createdAt,
    row.agesFrom ?? row.createdAt,
    key,
  )
  // Nobody holds a row in memory that has no vector.
  if (kept?.['embedder'] !== null) writer.changes.stir(key)
}

function insertRow(writer: Connection, row: RecallRow, text: string, vector: RecallChange['vector']): number {
  const key = writer.changes.next()
  writer.run(
    `insert into recall (key, id, seq, concept, owner, partition, source, status, active, created_at, ages_from, text, data,
      embedder, unit) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    key,
    row.id,
    row.seq ?? null,
    row.concept,
    row.owner,
    row.partition,
    row.source,
    row.status ?? null,
    row.active === false ? 0 : 1,
    row.createdAt,
    row.agesFrom ?? row.createdAt,
    row.isPut ? text : null,
    row.data === undefined ? null : JSON.stringify(row.data),
    vector?.number ?? null,
    vector === undefined ? null : bytesOf(vector.values),
  )
  writer.run('insert into words (rowid, text) values (?, ?)', key, lexicalText(text))
  return key
}
