/** Loads the heads that a decision needs, and writes the decision. Runs inside a write transaction. */
import type { FreedDraft, Node } from '@agentm/nodes'
import {
  type AppendDecision,
  type ConceptSet,
  decideAppend,
  freedAppend,
  freeEach,
  type NewHead,
  type NewVersion,
  type PreparedAppend,
} from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import { type Embedder, embedderOf } from './embedders.ts'
import { among } from './pure/among.ts'
import { writeRecallRow } from './recall-rows.ts'
import { oneStoredHead, type StoredHead, storedHeadOf } from './rows.ts'
import type { StoreContext } from './store-context.ts'

export function performAppend(context: StoreContext, append: PreparedAppend): readonly Node[] {
  const heads = new Map<string, StoredHead>()
  for (const id of [...append.writes, ...append.reads]) {
    const row = context.writer.get(oneStoredHead, id)
    if (row !== undefined) heads.set(id, storedHeadOf(row))
  }
  return performKnown(context, append, heads)
}

/** Performs an append with heads that this transaction has already read. */
export function performKnown(
  context: StoreContext,
  append: PreparedAppend,
  heads: ReadonlyMap<string, StoredHead>,
): readonly Node[] {
  const { writer, runtime, concepts } = context
  // Checked before any write, so that a vector of the wrong size refuses the whole append.
  const embedders = new Map<string, Embedder>()
  for (const { vector } of append.drafts)
    if (vector !== undefined && embedders.get(vector.embedder)?.dimensions !== vector.values.length)
      embedders.set(vector.embedder, embedderOf(writer, vector.embedder, vector.values.length))
  const decision = decideAppend(append, { at: runtime.now(), heads, concepts })
  const isOneFree = writeFlips(writer, concepts, decision.flips)
  for (const { parent, concept, held } of decision.holds)
    writer.run('update heads set held = ? where parent = ? and concept = ?', held ? 1 : 0, parent, concept)
  const keys = new Map<string, number>()
  const seqs = new Map<string, number>()
  const nodes = decision.versions.map((version) => {
    const { id } = version
    const node = insertVersion(writer, version, heads.get(id)?.key ?? keys.get(id))
    if (!keys.has(id)) keys.set(id, heads.get(id)?.key ?? node.seq)
    seqs.set(id, node.seq)
    return node
  })
  for (const head of decision.heads) {
    const { id } = head.version
    const [key, seq] = [keys.get(id) ?? 0, seqs.get(id) ?? 0]
    const recall = writeRecall(writer, head, { seq, known: heads.get(id)?.recall }, embedders)
    writeHead(writer, head, { key, seq, recall })
  }
  if (isOneFree && append.freed !== undefined)
    performFreed(context, append, { freed: append.freed, flips: decision.flips })
  return nodes
}

function performFreed(
  context: StoreContext,
  append: PreparedAppend,
  { freed, flips }: { readonly freed: FreedDraft; readonly flips: AppendDecision['flips'] },
): void {
  const free = freedBy(context, { owner: append.owner, freed }, flips)
  freeEach(free, (ids) => performAppend(context, freedAppend(context.concepts, append, { freed, ids })))
}

/** Writes the dependency changes. Returns whether any node is now unblocked. */
function writeFlips(writer: Connection, concepts: ConceptSet, flips: AppendDecision['flips']): boolean {
  if (flips.length === 0) return false
  const fields = [...concepts].flatMap(({ dependsOn }) => dependsOn?.field ?? [])
  let isOneFree = false
  for (const { id, delta } of flips) {
    const waiting = writer.all(
      `update heads set remaining = remaining + ? where id in (
        select source from edges where target = ? and field ${among(fields)}) returning remaining`,
      delta,
      id,
      ...fields,
    )
    isOneFree ||= waiting.some(({ remaining }) => remaining === 0)
  }
  return isOneFree
}

/** The unblocked nodes, in the order of the log. */
function freedBy(
  { writer, concepts }: StoreContext,
  { owner, freed }: { readonly owner: string; readonly freed: FreedDraft },
  flips: AppendDecision['flips'],
): readonly string[] {
  const { field } = concepts.get(freed.concept).dependsOn ?? {}
  if (field === undefined) return []
  const seqs = new Map<string, number>()
  for (const { id } of flips.filter(({ delta }) => delta < 0)) {
    const rows = writer.all(dependentsOf, id, field, freed.concept, freed.status, owner)
    for (const row of rows) seqs.set(String(row['id']), Number(row['seq']))
  }
  return [...seqs].toSorted(([, a], [, b]) => a - b).map(([id]) => id)
}

/** Goes from the edges to their heads. A plan that starts with the heads of a status would read all of them. */
const dependentsOf = `select h.id, h.seq from edges e cross join heads h on h.id = e.source
  where e.target = ? and e.field = ? and h.remaining = 0 and h.concept = ? and h.status = ? and h.owner = ? and h.redacted = 0`

/** Inserts a version. Without a head it is the first version of its id, and its sequence number becomes the key of the head. */
export function insertVersion(writer: Connection, version: NewVersion, head: number | undefined): Node {
  const { id, concept, owner, partition, createdBy, createdAt, provenanceMutation, status, payload, redacted } = version
  // The number after the highest one. The newest version is never deleted, so no number is used twice.
  const seq = writer.insert(
    `insert into nodes (head, id, version, concept, owner, partition, created_by, created_at, mutation, status, old_status,
      redacted, payload)
      values (coalesce(?, (select coalesce(max(seq), 0) + 1 from nodes)), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    head ?? null,
    id,
    version.version,
    concept,
    owner,
    partition,
    createdBy,
    createdAt,
    provenanceMutation,
    status ?? null,
    version.oldStatus ?? null,
    redacted ? 1 : 0,
    version.json,
  )
  // Written out, because a rest pattern that omits two fields copies the others twice.
  return {
    id,
    concept,
    version: version.version,
    seq,
    owner,
    partition,
    createdBy,
    createdAt,
    provenanceMutation,
    status,
    payload,
    redacted,
  }
}

export interface HeadKeys {
  /** The sequence number of the first version. */
  readonly key: number
  /** The sequence number of the newest version. */
  readonly seq: number
  readonly recall: number | undefined
}

export function writeHead(writer: Connection, head: NewHead, { key, seq, recall }: HeadKeys): void {
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
    facts.rank ?? null,
    facts.gate ?? null,
    recall ?? null,
    key,
  ] as const
  if (isNew)
    writer.run(
      `insert into heads (seq, version, status, redacted, ready, running, session, wake_at, rank, gate, recall, key, id,
        concept, owner, partition, first_created_at, parent, remaining, held)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
        rank = ?, gate = ?, recall = ? where key = ?`,
      ...changing,
    )
  for (const { field, targets } of edges) {
    if (!isNew) writer.run('delete from edges where source = ? and field = ?', version.id, field)
    for (const target of targets)
      writer.run('insert into edges (target, field, source) values (?, ?, ?)', target, field, version.id)
  }
}

function writeRecall(
  writer: Connection,
  { version, facts: { recall }, sameText, foundAlike, vector }: NewHead,
  { seq, known }: { readonly seq: number; readonly known: number | undefined },
  embedders: ReadonlyMap<string, Embedder>,
): number | undefined {
  if (foundAlike && known !== undefined) return known
  const made =
    vector === undefined
      ? undefined
      : { embedder: vector.embedder, values: vector.values, number: embedders.get(vector.embedder)?.number ?? 0 }
  return writeRecallRow(writer, { node: version, seq, facts: recall }, { known, sameText, vector: made })
}
