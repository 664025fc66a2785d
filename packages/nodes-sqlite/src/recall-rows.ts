/**
 * The rows that recall ranks, one per node. A row's key stands for its text: a new text gets a new row. So data derived from the old text
 * (words, vector, packed segments) can never be mistaken for that of the new one.
 */
import { type ItemVector, type Node, unitVector } from '@agentm/nodes'
import { lexicalText, type RecallFacts } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'

export interface RecallRow {
  readonly node: Pick<Node, 'id' | 'concept' | 'owner' | 'partition' | 'status' | 'createdAt'>
  readonly seq: number
  /** What recall finds of the node; absent if it does not find it. */
  readonly facts: RecallFacts | undefined
}

export interface RecallChange {
  /** The key of its current row. */
  readonly known: number | undefined
  readonly sameText: boolean
  readonly vector: (ItemVector & { readonly number: number }) | undefined
}

/** Writes a row and returns its new key; `undefined` if recall does not find the node. */
export function writeRecallRow(
  writer: Connection,
  { node, seq, facts }: RecallRow,
  { known, sameText, vector }: RecallChange,
): number | undefined {
  if (known !== undefined && sameText && facts !== undefined) {
    updateRow(writer, { node, seq, facts }, known)
    if (vector !== undefined) storeVector(writer, known, vector)
    return known
  }
  if (known !== undefined) dropRecallRow(writer, known)
  return facts === undefined ? undefined : insertRow(writer, { node, seq, facts }, vector)
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

type FoundRow = RecallRow & { readonly facts: RecallFacts }

/** Updates only the columns that versions can change. */
function updateRow(writer: Connection, { node, seq, facts }: FoundRow, key: number): void {
  const kept = writer.get(
    'update recall set seq = ?, status = ?, active = ?, created_at = ?, ages_from = ? where key = ? returning embedder',
    seq,
    node.status ?? null,
    facts.active ? 1 : 0,
    node.createdAt,
    facts.agesFrom,
    key,
  )
  // Caches contain only rows with a vector, so only those are listed as changed.
  if (kept?.['embedder'] !== null) writer.changes.stir(key)
}

function insertRow(writer: Connection, { node, seq, facts }: FoundRow, vector: RecallChange['vector']): number {
  const key = writer.changes.next()
  writer.run(
    `insert into recall (key, id, seq, concept, owner, partition, status, active, created_at, ages_from, embedder, unit)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    key,
    node.id,
    seq,
    node.concept,
    node.owner,
    node.partition,
    node.status ?? null,
    facts.active ? 1 : 0,
    node.createdAt,
    facts.agesFrom,
    vector?.number ?? null,
    vector === undefined ? null : bytesOf(vector.values),
  )
  writer.run('insert into words (rowid, text) values (?, ?)', key, lexicalText(facts.text))
  return key
}
