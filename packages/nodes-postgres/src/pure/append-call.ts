/** Converts decided appends to arguments of the `append` function. Empty values are omitted. */
import type { Concept } from '@agentm/nodes'
import type { AppendDecision, ConceptSet, KnownHead, NewHead, NewVersion } from '@agentm/nodes/store-kit'
import { lexemes } from './lexemes.ts'

/** Selects an item of an owner, or an item whose text is still the one that was embedded. */
export interface VectorOwner {
  readonly id: string
  readonly owner?: string
  readonly revision?: number
}

export interface VectorRow extends VectorOwner {
  readonly embedder: number
  /** The vector, if the server has a vector type. */
  readonly typed: Float32Array | undefined
  /** If the server has no vector type: the floats, and the small copy that a scan reads, in base64. */
  readonly unit: string | undefined
  readonly quantized: string | undefined
  readonly scale: number | undefined
  readonly error: number | undefined
}

export interface DecidedAppend {
  readonly decision: AppendDecision
  /** The heads on which the append was decided. They must not have changed. */
  readonly known: ReadonlyMap<string, KnownHead>
  /** Ids that are assumed to be new without a check. If one exists, the append writes nothing. */
  readonly unseen?: readonly string[] | undefined
  readonly full: boolean
  readonly vectors: readonly VectorRow[]
  /** If true, a key collision is an acceptable way to find an existing id, because the append is then retried in another way. */
  readonly mayCollide: boolean
}

/** The arguments themselves. */
export interface AppendCall {
  readonly append: { readonly full: boolean; readonly [field: string]: unknown }
  readonly rows: readonly object[]
  /** The vector of each row, if it is stored in the vector type. */
  readonly vectors: readonly (Float32Array | undefined)[]
}

export function appendCall(
  { decision, known, unseen, full, vectors, mayCollide }: DecidedAppend,
  concepts: ConceptSet,
): AppendCall {
  const { versions, heads, flips, holds } = decision
  const headOf = new Map(heads.map((head) => [head.version, head]))
  const vectorOf = new Map(vectors.map((vector) => [vector.id, vector]))
  const fresh = heads.filter(({ isNew }) => isNew)
  const changed = new Set(heads.map(({ version: { id } }) => id))
  const append = {
    full,
    unseen,
    known: some([...known.values()].map(({ id, version }) => ({ id, version, written: changed.has(id) }))),
    absent: some(absentParents(fresh, known, concepts)),
    holds: some(holds.map((hold) => ({ ...hold, fresh: !known.has(hold.parent) }))),
    flips: some(flips),
    new: (mayCollide && fresh.length === heads.length) || undefined,
    fresh: fresh.length > 0 || undefined,
    found: heads.some(isFoundAnew) || undefined,
    unfound: some(heads.flatMap((head) => (isFoundNoMore(head, concepts) ? [head.version.id] : []))),
    ...edgeRows(heads, concepts),
  }
  const written = versions.map((version) => {
    const head = headOf.get(version)
    return { version, head, vector: head && vectorOf.get(version.id) }
  })
  return {
    append,
    rows: written.map(({ version, head, vector }) => ({
      ...nodeRow(version),
      ...headRow(head),
      ...foundRow(head, vector),
    })),
    vectors: written.map(({ vector }) => vector?.typed),
  }
}

function some<T>(values: readonly T[] | undefined): readonly T[] | undefined {
  return values === undefined || values.length === 0 ? undefined : values
}

function nodeRow({ json, oldStatus, createdBy, createdAt, provenanceMutation, ...version }: NewVersion) {
  const { id, concept, partition, owner, status } = version
  return {
    id,
    concept,
    partition,
    version: version.version,
    owner,
    status,
    created_by: createdBy,
    created_at: createdAt,
    mutation: provenanceMutation,
    old_status: oldStatus,
    payload: json,
  }
}

function headRow(head: NewHead | undefined) {
  if (head === undefined) return undefined
  const { isNew, remaining, held, facts } = head
  const own = isNew ? { remaining: remaining || undefined, held: held || undefined } : undefined
  return { fresh: isNew, ...factsRow(facts), ...own }
}

/** The facts of a head. False values are omitted. */
export function factsRow({ parent, ready, running, done, session, wakeAt, rank, gate }: NewHead['facts']) {
  const flags = { ready: ready || undefined, running: running || undefined, done: done || undefined }
  return { parent, ...flags, session, wake_at: whole(wakeAt), rank: whole(rank), gate }
}

function foundRow(head: NewHead | undefined, vector: VectorRow | undefined) {
  const recall = head?.facts.recall
  if (head === undefined || recall === undefined || head.foundAlike) return undefined
  return { ...itemRow(recall), ...(vector && vectorRow(vector)) }
}

/** The recall row of a node. Unpaired surrogates are replaced, because the server does not accept them. */
export function itemRow({ active, agesFrom, text }: NonNullable<NewHead['facts']['recall']>) {
  return { active, ages_from: whole(agesFrom), text: text.toWellFormed(), lexemes: lexemes(text) }
}

function isFoundAnew({ facts, foundAlike }: NewHead): boolean {
  return facts.recall !== undefined && !foundAlike
}

/** Whether an earlier version may have a recall row that must be removed. */
function isFoundNoMore({ version, facts, isNew }: NewHead, concepts: ConceptSet): boolean {
  return !isNew && facts.recall === undefined && concepts.get(version.concept).recallable !== undefined
}

export function vectorRow({ typed: _typed, ...row }: VectorRow) {
  return row
}

function absentParents(
  fresh: readonly NewHead[],
  known: ReadonlyMap<string, KnownHead>,
  concepts: ConceptSet,
): readonly string[] {
  const added = new Set(fresh.map(({ version }) => version.id))
  return fresh
    .filter(({ version }) => isHeldByParents(concepts.get(version.concept)))
    .flatMap(({ facts: { parent } }) =>
      parent === undefined || known.has(parent) || added.has(parent) ? [] : [parent],
    )
}

function isHeldByParents({ claimable }: Concept): boolean {
  return claimable?.heldBy !== undefined
}

/** The edges to remove and the edges to add. */
function edgeRows(heads: readonly NewHead[], concepts: ConceptSet) {
  const changed = heads.flatMap(({ version, isNew, edges }) =>
    edges.map(({ field, targets }) => ({ source: version.id, isNew, field, targets, concept: version.concept })),
  )
  const cleared = changed.flatMap(({ source, isNew, field }) => (isNew ? [] : [{ source, field }]))
  const edges = changed.flatMap(({ source, field, targets, concept }) =>
    targets.map((target) => ({ source, field, target, depends: concepts.get(concept).dependsOn?.field === field })),
  )
  return { cleared: some(cleared), edges: some(edges) }
}

/** Rounds a time to whole milliseconds, because a computed time may have a fraction or be infinite. */
export function whole(milliseconds: number | undefined): number | undefined {
  if (milliseconds === undefined || Number.isNaN(milliseconds)) return undefined
  return Math.round(Math.min(farthest, Math.max(-farthest, milliseconds)))
}

const farthest = 8.64e15
