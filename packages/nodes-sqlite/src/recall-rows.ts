/**
 * The rows that recall ranks, one per item. A row's key stands for its text: a new text gets a new row. So data derived from the old text
 * (words, vector, packed segments) can never be mistaken for that of the new one.
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
  /** The sequence number of a node; absent for an indexed note. */
  readonly seq: number | undefined
  readonly isPut: boolean
  readonly data: Payload | undefined
  /** The text to index (default: none, so recall does not find it). */
  readonly text: string | undefined
  readonly active?: boolean
  readonly agesFrom?: number
}

export interface RecallChange {
  /** The key of its current row. */
  readonly known: number | undefined
  readonly sameText: boolean
  readonly vector: (ItemVector & { readonly number: number }) | undefined
}

/** Writes a row and returns its new key; `undefined` if there is no text. */
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
  // First, because the next number depends on the newest row, and this may be that row.
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

/** Updates only the columns that versions can change. */
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
  // Caches contain only rows with a vector, so only those are listed as changed.
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
