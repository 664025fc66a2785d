/** Loads what a decision needs, and writes what was decided. Runs inside a write transaction. */
import {
  type AppendDecision,
  decideAppend,
  type KnownHead,
  type NewHead,
  type NewVersion,
  type Node,
  type PreparedAppend,
} from '@agentm/nodes'
import { type Embedder, embedderOf } from './embedders.ts'
import { type RecallRow, writeRecallRow } from './recall-rows.ts'
import { headColumns, knownHeadOf } from './rows.ts'
import type { StoreContext } from './store-context.ts'

export function performAppend(context: StoreContext, append: PreparedAppend): readonly Node[] {
  const { writer, runtime, concepts } = context
  const heads = new Map<string, KnownHead>()
  for (const id of [...append.writes, ...append.reads]) {
    const row = writer.get(`select ${headColumns} from heads h join nodes n on n.seq = h.seq where h.id = ?`, id)
    if (row !== undefined) heads.set(id, knownHeadOf(row))
  }
  // Asked before anything is written, so that a vector of the wrong size refuses the whole append.
  const embedders = new Map<string, Embedder>()
  for (const { vector } of append.drafts)
    if (vector !== undefined && embedders.get(vector.embedder)?.dimensions !== vector.values.length)
      embedders.set(vector.embedder, embedderOf(writer, vector.embedder, vector.values.length))
  return writeDecision(context, decideAppend(append, { at: runtime.now(), heads, concepts }), embedders)
}

function writeDecision(
  { writer, concepts }: StoreContext,
  decision: AppendDecision,
  embedders: ReadonlyMap<string, Embedder>,
): readonly Node[] {
  const dependencyFields = JSON.stringify([...concepts].flatMap(({ dependsOn }) => dependsOn?.field ?? []))
  for (const { id, delta } of decision.flips)
    writer.run(
      `update heads set remaining = remaining + ? where id in (
        select source from edges where target = ? and field in (select value from json_each(?)))`,
      delta,
      id,
      dependencyFields,
    )
  for (const { parent, concept, held } of decision.holds)
    writer.run('update heads set held = ? where parent = ? and concept = ?', held ? 1 : 0, parent, concept)
  let seq = writer.number('select max(seq) from nodes')
  const nodes = decision.versions.map((version) => insertVersion(writer, version, (seq += 1)))
  const seqOf = new Map(nodes.map(({ id, seq: last }) => [id, last]))
  for (const head of decision.heads) {
    const last = seqOf.get(head.version.id) ?? 0
    writeHead(writer, head, last, writeRecall(writer, head, last, embedders))
  }
  return nodes
}

export function insertVersion(writer: StoreContext['writer'], version: NewVersion, seq: number): Node {
  const { json, oldStatus, ...node } = version
  writer.run(
    `insert into nodes (seq, id, version, concept, owner, partition, created_by, created_at, mutation, status, old_status,
      redacted, payload) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    node.id,
    node.version,
    node.concept,
    node.owner,
    node.partition,
    node.createdBy,
    node.createdAt,
    node.provenanceMutation,
    node.status ?? null,
    oldStatus ?? null,
    node.redacted ? 1 : 0,
    json,
  )
  return { ...node, seq }
}

export function writeHead(
  writer: StoreContext['writer'],
  head: NewHead,
  seq: number,
  recall: number | undefined,
): void {
  const { version, facts, isNew, firstCreatedAt, remaining, held, edges } = head
  const changing = [
    seq,
    version.version,
    version.status ?? null,
    version.redacted ? 1 : 0,
    facts.ready ? 1 : 0,
    facts.running ? 1 : 0,
    facts.session ?? null,
    facts.wakeAt ?? null,
    recall ?? null,
  ] as const
  if (isNew)
    writer.run(
      `insert into heads (seq, version, status, redacted, ready, running, session, wake_at, recall, id, concept, owner,
        partition, first_created_at, parent, remaining, held) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...changing,
      version.id,
      version.concept,
      version.owner,
      version.partition,
      firstCreatedAt,
      facts.parent ?? null,
      remaining,
      held ? 1 : 0,
    )
  else
    writer.run(
      `update heads set seq = ?, version = ?, status = ?, redacted = ?, ready = ?, running = ?, session = ?, wake_at = ?,
        recall = ? where id = ?`,
      ...changing,
      version.id,
    )
  for (const { field, targets } of edges) {
    if (!isNew) writer.run('delete from edges where source = ? and field = ?', version.id, field)
    for (const target of targets)
      writer.run('insert into edges (target, field, source) values (?, ?, ?)', target, field, version.id)
  }
}

function writeRecall(
  writer: StoreContext['writer'],
  { version, facts: { recall }, sameText, isNew, vector }: NewHead,
  seq: number,
  embedders: ReadonlyMap<string, Embedder>,
): number | undefined {
  const { id, concept, owner, partition, status, createdAt } = version
  const known = isNew ? undefined : recallKey(writer, id)
  const made =
    vector === undefined
      ? undefined
      : { embedder: vector.embedder, values: vector.values, number: embedders.get(vector.embedder)?.number ?? 0 }
  // Spelled out: spreading objects costs as much as the inserts, once per row of a batch.
  const row: RecallRow = {
    id,
    concept,
    owner,
    partition,
    source: id,
    status,
    createdAt,
    seq,
    data: undefined,
    isPut: false,
    text: recall?.text,
    active: recall?.active ?? true,
    agesFrom: recall?.agesFrom ?? createdAt,
  }
  return writeRecallRow(writer, row, { known, sameText, vector: made })
}

/** The recall row of a node. */
export function recallKey(writer: StoreContext['writer'], id: string): number | undefined {
  const key = writer.get('select recall from heads where id = ?', id)?.['recall']
  return typeof key === 'number' ? key : undefined
}
