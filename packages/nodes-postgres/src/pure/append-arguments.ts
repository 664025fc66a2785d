/** A decided append as the arguments of the `append` function, in its order. */
import {
  type AppendDecision,
  type Concept,
  type ConceptSet,
  type KnownHead,
  type NewHead,
  type PreparedAppend,
} from '@agentm/nodes'
import { columns } from './columns.ts'
import { lexemes } from './lexemes.ts'
import { vectorArrayBytes } from './vector-bytes.ts'

export interface VectorRow {
  readonly id: string
  readonly embedder: number
  /** Where the server has a vector type. */
  readonly typed: Float32Array | undefined
  /** Where it has none: the floats, and the small copy a scan reads. */
  readonly unit: Buffer | undefined
  readonly quantized: Buffer | undefined
  readonly scale: number | undefined
  readonly error: number | undefined
}

export interface DecidedAppend {
  readonly append: PreparedAppend
  readonly decision: AppendDecision
  readonly known: ReadonlyMap<string, KnownHead>
  /** Ids taken for new without a look; the append writes nothing when one is there. */
  readonly unseen: readonly string[]
  readonly at: number
  readonly full: boolean
  readonly vectors: readonly VectorRow[]
}

/** `oid` is the number of the server's vector type. */
export function appendArguments(decided: DecidedAppend, concepts: ConceptSet, oid: number): readonly unknown[] {
  const { append, decision, unseen, at, full, vectors } = decided
  const found = foundHeads(decision.heads)
  const place = new Map(found.map(({ version }, i) => [version.id, i + 1]))
  return [
    full,
    at,
    append.owner,
    append.actor,
    unseen.length > 0 ? unseen : null,
    ...knownColumns(decided),
    absentParents(decided, concepts),
    ...versionColumns(decision),
    ...headColumns(decision),
    ...columns(decision.flips, ['text', ({ id }) => id], ['integer', ({ delta }) => delta]),
    ...columns(
      decision.holds,
      ['text', ({ parent }) => parent],
      ['text', ({ concept }) => concept],
      ['boolean', ({ held }) => held],
      ['boolean', ({ parent }) => !decided.known.has(parent)],
    ),
    ...edgeColumns(decision.heads, concepts),
    ...recallColumns(found, vectors),
    unfound(decision.heads, concepts),
    vectors.map(({ id }) => place.get(id)),
    ...vectorColumns(vectors, oid).slice(1),
  ]
}

/** Claims as arguments of the `take` function, beside the durability; nothing where they change anything beside their own heads and items. */
export function claimArguments(decided: DecidedAppend, concepts: ConceptSet): readonly unknown[] | undefined {
  const { append, decision, at } = decided
  const { heads, versions, flips, holds } = decision
  const found = foundHeads(heads)
  const alone =
    flips.length === 0 && holds.length === 0 && heads.every(({ isNew, edges }) => !isNew && edges.length === 0)
  const evenly = versions.length === heads.length && (found.length === 0 || found.length === heads.length)
  if (!alone || !evenly || unfound(heads, concepts) !== null) return undefined
  return [
    at,
    append.owner,
    append.actor,
    ...knownColumns(decided),
    ...versionColumns(decision),
    ...headColumns(decision),
    ...recallColumns(found, []),
  ]
}

export function vectorColumns(vectors: readonly VectorRow[], oid: number): unknown[] {
  const typed = vectors.map(({ typed: unit }) => unit)
  return [
    ...columns(
      vectors,
      ['text', ({ id }) => id],
      ['integer', ({ embedder }) => embedder],
      ['bytea', ({ unit }) => unit],
      ['bytea', ({ quantized }) => quantized],
      ['float8', ({ scale }) => scale],
      ['float8', ({ error }) => error],
    ),
    typed.some((unit) => unit !== undefined) ? vectorArrayBytes(typed, oid) : null,
  ]
}

/** Heads that were judged and must not have moved. Locked one after another by id, so that two appends cannot cross. */
function knownColumns({ append, known }: DecidedAppend): unknown[] {
  const written = new Set(append.writes)
  return columns(
    [...known.values()],
    ['text', ({ id }) => id],
    ['integer', ({ version }) => version],
    ['boolean', ({ id }) => written.has(id)],
  )
}

export function absentParents(
  { decision, known }: Pick<DecidedAppend, 'decision' | 'known'>,
  concepts: ConceptSet,
): readonly string[] {
  const fresh = new Set(decision.heads.map(({ version }) => version.id))
  return decision.heads
    .filter(({ isNew, version }) => isNew && isHeldByParents(concepts.get(version.concept)))
    .flatMap(({ facts: { parent } }) =>
      parent === undefined || known.has(parent) || fresh.has(parent) ? [] : [parent],
    )
}

function isHeldByParents({ claimable }: Concept): boolean {
  return claimable?.heldBy !== undefined
}

function versionColumns({ versions }: AppendDecision): unknown[] {
  return columns(
    versions,
    ['text', ({ id }) => id],
    ['text', ({ concept }) => concept],
    ['text', ({ partition }) => partition],
    ['integer', ({ version }) => version],
    ['text', ({ provenanceMutation }) => provenanceMutation],
    ['text', ({ status }) => status],
    ['text', ({ oldStatus }) => oldStatus],
    ['text', ({ json }) => json],
  )
}

function headColumns({ versions, heads }: AppendDecision): unknown[] {
  const place = new Map(versions.map((version, i) => [version, i + 1]))
  return columns(
    heads,
    ['integer', ({ version }) => place.get(version)],
    ['boolean', ({ isNew }) => isNew],
    ['text', ({ version }) => version.id],
    ['text', ({ version }) => version.concept],
    ['text', ({ version }) => version.partition],
    ['integer', ({ version }) => version.version],
    ['text', ({ version }) => version.status],
    ['bigint', ({ firstCreatedAt }) => firstCreatedAt],
    ['text', ({ facts }) => facts.parent],
    ['boolean', ({ facts }) => facts.ready],
    ['boolean', ({ facts }) => facts.running],
    ['boolean', ({ facts }) => facts.done],
    ['text', ({ facts }) => facts.session],
    ['bigint', ({ facts }) => whole(facts.wakeAt)],
    ['integer', ({ remaining }) => remaining],
    ['boolean', ({ held }) => held],
  )
}

/** What goes of edges, by source and field; then what comes, by source, field, target, and whether it is a dependency. */
export function edgeColumns(heads: readonly NewHead[], concepts: ConceptSet): unknown[] {
  const changed = heads.flatMap(({ version, isNew, edges }) =>
    edges.map(({ field, targets }) => ({ source: version.id, isNew, field, targets, concept: version.concept })),
  )
  const edges = changed.flatMap(({ source, field, targets, concept }) =>
    targets.map((target) => ({ source, field, target, depends: concepts.get(concept).dependsOn?.field === field })),
  )
  return [
    ...columns(
      changed.filter(({ isNew }) => !isNew),
      ['text', ({ source }) => source],
      ['text', ({ field }) => field],
    ),
    ...columns(
      edges,
      ['text', ({ source }) => source],
      ['text', ({ field }) => field],
      ['text', ({ target }) => target],
      ['boolean', ({ depends }) => depends],
    ),
  ]
}

/** What recall is told of; nothing of a head that is found as before. */
function foundHeads(heads: readonly NewHead[]) {
  return heads.flatMap(({ version, facts: { recall }, sameText, foundAlike }) =>
    recall === undefined || foundAlike ? [] : [{ version, recall, sameText }],
  )
}

/** What may have been found before this append, and is not any more. */
function unfound(heads: readonly NewHead[], concepts: ConceptSet): readonly string[] | null {
  const gone = heads.filter(
    ({ version, facts, isNew }) =>
      !isNew && facts.recall === undefined && concepts.get(version.concept).recallable !== undefined,
  )
  return gone.length === 0 ? null : gone.map(({ version }) => version.id)
}

function recallColumns(found: ReturnType<typeof foundHeads>, vectors: readonly VectorRow[]): unknown[] {
  const vector = new Map(vectors.map(({ id }, i) => [id, i + 1]))
  return columns(
    found,
    ['text', ({ version }) => version.id],
    ['text', ({ version }) => version.concept],
    ['text', ({ version }) => version.partition],
    ['integer', ({ version }) => version.version],
    ['text', ({ version }) => version.status],
    ['boolean', ({ recall }) => recall.active],
    ['bigint', ({ recall }) => whole(recall.agesFrom)],
    ['text', ({ recall }) => recall.text],
    ['text', ({ recall }) => lexemes(recall.text)],
    ['boolean', ({ sameText }) => sameText],
    ['integer', ({ version }) => vector.get(version.id)],
  )
}

/** Times are whole milliseconds here; whoever computes one may end up with a fraction, or with nothing finite. */
export function whole(milliseconds: number | undefined): number | undefined {
  if (milliseconds === undefined || Number.isNaN(milliseconds)) return undefined
  return Math.round(Math.min(farthest, Math.max(-farthest, milliseconds)))
}

const farthest = 8.64e15
