/**
 * What recall ranks, one row per thing. A row's key stands for its text: another text is another row, so whatever is
 * derived from the text (words, vector, packed segments) can never be mistaken for the new one's.
 */
import { type ItemVector, lexicalText, type Payload, unitVector } from '@agentm/nodes'
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
  /** Nothing to find where absent. */
  readonly text: string | undefined
  readonly active?: boolean
  readonly agesFrom?: number
}

export interface RecallChange {
  /** Nothing of that id is there yet. */
  readonly isNew: boolean
  readonly sameText: boolean
  readonly vector: (ItemVector & { readonly number: number }) | undefined
}

export function writeRecallRow(writer: Connection, row: RecallRow, { isNew, sameText, vector }: RecallChange): void {
  const known = isNew ? undefined : keyOf(writer, row.id)
  if (known !== undefined && (!sameText || row.text === undefined)) dropRecallRow(writer, known)
  if (row.text === undefined) return
  const change = nextChange(writer)
  if (known !== undefined && sameText) updateRow(writer, row, known, change)
  else insertRow(writer, { ...row, text: row.text }, change)
  if (vector !== undefined) storeVector(writer, known !== undefined && sameText ? known : change, vector, change)
}

export function keyOf(connection: Connection, id: string): number | undefined {
  const row = connection.get('select key from recall where id = ?', id)
  return row === undefined ? undefined : Number(row['key'])
}

export function dropRecallRow(writer: Connection, key: number): void {
  writer.run('delete from recall where key = ?', key)
  writer.run('delete from words where rowid = ?', key)
  if (writer.run('delete from vectors where key = ?', key) > 0)
    writer.run('insert into gone (change, key) values (?, ?)', nextChange(writer), key)
}

export function storeVector(
  writer: Connection,
  key: number,
  { values, number }: { readonly values: ArrayLike<number>; readonly number: number },
  change: number,
): void {
  const unit = unitVector(values)
  writer.run('insert or replace into vectors (key, unit) values (?, ?)', key, new Uint8Array(unit.buffer))
  writer.run('update recall set embedder = ?, change = ? where key = ?', number, change, key)
}

/** Numbers every change of what recall ranks, so that caches know what they have not seen. Also a key never used before. */
export function nextChange(writer: Connection): number {
  return writer.number("update counters set value = value + 1 where name = 'change' returning value")
}

function updateRow(writer: Connection, row: RecallRow, key: number, change: number): void {
  writer.run(
    `update recall set seq = ?, partition = ?, source = ?, status = ?, active = ?, created_at = ?, ages_from = ?, text = ?,
      data = ?, change = ? where key = ?`,
    row.seq ?? null,
    row.partition,
    row.source,
    row.status ?? null,
    row.active === false ? 0 : 1,
    row.createdAt,
    row.agesFrom ?? row.createdAt,
    row.isPut ? (row.text ?? '') : null,
    row.data === undefined ? null : JSON.stringify(row.data),
    change,
    key,
  )
}

function insertRow(writer: Connection, row: RecallRow & { readonly text: string }, key: number): void {
  writer.run(
    `insert into recall (key, id, seq, concept, owner, partition, source, status, active, created_at, ages_from, text, data,
      embedder, change) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, ?)`,
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
    row.isPut ? row.text : null,
    row.data === undefined ? null : JSON.stringify(row.data),
    key,
  )
  writer.run('insert into words (rowid, text) values (?, ?)', key, lexicalText(row.text))
}
