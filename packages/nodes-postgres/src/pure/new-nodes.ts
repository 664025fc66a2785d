/**
 * The most frequent append as one plain statement: nodes that are new and judged by nothing but themselves. Numbers and
 * keys are drawn first, so nothing that was just written is joined; and the transaction has its own number before them,
 * so that a snapshot tells which gaps may still fill.
 */
import type { AppendDecision, ConceptSet, KnownHead, NewHead } from '@agentm/nodes'
import { absentParents, type DecidedAppend, edgeColumns, type VectorRow, whole } from './append-arguments.ts'
import { type Column as ArrayColumn, columns } from './columns.ts'
import { lexemes } from './lexemes.ts'
import { vectorArrayBytes, vectorBytes } from './vector-bytes.ts'

interface Row {
  readonly head: NewHead
  readonly vector: VectorRow | undefined
}

interface Column {
  readonly name: string
  readonly as: ArrayColumn<Row>
}

/** What distinguishes one statement from another; the same shape always has the same places. */
export interface NewNodesShape {
  /** One row needs no arrays, and the server guesses right how many there are. */
  readonly alone: boolean
  readonly items: boolean
  readonly typed: boolean
  readonly bytes: boolean
  readonly edges: boolean
}

export interface NewNodes {
  readonly shape: NewNodesShape
  readonly values: readonly unknown[]
}

/** Nothing where there is something to look at first, or to change beside what these rows add. */
export function newNodes(decided: DecidedAppend, concepts: ConceptSet, oid: number): NewNodes | undefined {
  const { append, decision, known, unseen, at, full, vectors } = decided
  if (!areNew(decision, known) || absentParents(decided, concepts).length > 0) return undefined
  const vectorOf = new Map(vectors.map((vector) => [vector.id, vector]))
  const rows = decision.heads.map((head): Row => ({ head, vector: vectorOf.get(head.version.id) }))
  const shape = shapeOf(rows)
  const edges = shape.edges ? edgeColumns(decision.heads, concepts).slice(2) : []
  const taken = unseen.length > 0 ? unseen : null
  return { shape, values: [full, at, append.owner, append.actor, taken, ...rowValues(rows, shape, oid), ...edges] }
}

function areNew(decision: AppendDecision, known: ReadonlyMap<string, KnownHead>): boolean {
  const { versions, heads, flips, holds } = decision
  const alone = known.size === 0 && flips.length === 0 && holds.length === 0
  return alone && versions.length === heads.length && heads.every(({ isNew }) => isNew)
}

function shapeOf(rows: readonly Row[]): NewNodesShape {
  return {
    alone: rows.length === 1,
    items: rows.some(({ head }) => head.facts.recall !== undefined),
    typed: rows.some(({ vector }) => vector?.typed !== undefined),
    bytes: rows.some(({ vector }) => vector?.unit !== undefined),
    edges: rows.some(({ head }) => head.edges.length > 0),
  }
}

function rowValues(rows: readonly Row[], shape: NewNodesShape, oid: number): readonly unknown[] {
  const [first] = rows
  const units = rows.map(({ vector }) => vector?.typed)
  if (shape.alone && first !== undefined) {
    const [unit] = units
    const typed = unit === undefined ? null : vectorBytes(unit)
    return [...columnsOf(shape).map(({ as: [, of] }) => of(first) ?? null), ...(shape.typed ? [typed] : [])]
  }
  const arrays = columns(rows, ...columnsOf(shape).map(({ as }) => as))
  return shape.typed ? [...arrays, vectorArrayBytes(units, oid)] : arrays
}

function columnsOf({ items, typed, bytes }: NewNodesShape): readonly Column[] {
  return [
    ...headColumns,
    ...(items ? itemColumns : []),
    ...(typed || bytes ? embedderColumns : []),
    ...(bytes ? bytesColumns : []),
  ]
}

const headColumns: readonly Column[] = [
  { name: 'id', as: ['text', ({ head }) => head.version.id] },
  { name: 'concept', as: ['text', ({ head }) => head.version.concept] },
  { name: 'partition', as: ['text', ({ head }) => head.version.partition] },
  { name: 'mutation', as: ['text', ({ head }) => head.version.provenanceMutation] },
  { name: 'status', as: ['text', ({ head }) => head.version.status] },
  { name: 'payload', as: ['text', ({ head }) => head.version.json] },
  { name: 'parent', as: ['text', ({ head }) => head.facts.parent] },
  { name: 'ready', as: ['boolean', ({ head }) => head.facts.ready] },
  { name: 'running', as: ['boolean', ({ head }) => head.facts.running] },
  { name: 'done', as: ['boolean', ({ head }) => head.facts.done] },
  { name: 'session', as: ['text', ({ head }) => head.facts.session] },
  { name: 'wake_at', as: ['bigint', ({ head }) => whole(head.facts.wakeAt)] },
  { name: 'remaining', as: ['integer', ({ head }) => head.remaining] },
  { name: 'held', as: ['boolean', ({ head }) => head.held] },
]

const itemColumns: readonly Column[] = [
  { name: 'active', as: ['boolean', ({ head }) => head.facts.recall?.active] },
  { name: 'ages_from', as: ['bigint', ({ head }) => whole(head.facts.recall?.agesFrom)] },
  { name: 'text', as: ['text', ({ head }) => head.facts.recall?.text] },
  {
    name: 'lexemes',
    as: ['text', ({ head: { facts } }) => (facts.recall === undefined ? undefined : lexemes(facts.recall.text))],
  },
]

const embedderColumns: readonly Column[] = [{ name: 'embedder', as: ['integer', ({ vector }) => vector?.embedder] }]

const bytesColumns: readonly Column[] = [
  { name: 'unit', as: ['bytea', ({ vector }) => vector?.unit] },
  { name: 'quantized', as: ['bytea', ({ vector }) => vector?.quantized] },
  { name: 'scale', as: ['float8', ({ vector }) => vector?.scale] },
  { name: 'error', as: ['float8', ({ vector }) => vector?.error] },
]

/** `vector` is the server's vector type, or what stands in for it. */
export function newNodesText(schema: string, shape: NewNodesShape, vector: string): string {
  const given = [
    ...columnsOf(shape).map(({ name, as: [type] }) => ({ name, type })),
    ...(shape.typed ? [{ name: 'vec', type: vector }] : []),
  ]
  const drawn = shape.items ? `nextval('${schema}.items_key_seq') as key, ` : ''
  return `with begun as materialized (
      select pg_current_xact_id() as number, case
        when not ${full} then set_config('synchronous_commit', 'off', true)
        when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end
      where ${unseen} is null or not ${schema}.any_taken(${unseen})
    ), given as materialized (
      select nextval('${schema}.node_seq') as seq, ${drawn}u.*
      from begun cross join ${source(given, shape)} where begun.number is not null
    ), ${writes(schema, shape, 6 + given.length).join(', ')}
    select array_agg(seq order by seq) as written from given`
}

const [full, at, owner, actor, unseen] = ['$1::boolean', '$2::bigint', '$3::text', '$4::text', '$5::text[]']

function source(given: readonly { readonly name: string; readonly type: string }[], { alone }: NewNodesShape): string {
  if (alone) return `(select ${given.map(({ name, type }, i) => `$${i + 6}::${type} as ${name}`).join(', ')}) u`
  const arrays = given.map(({ type }, i) => `$${i + 6}::${type}[]`)
  return `unnest(${arrays.join(', ')}) as u (${given.map(({ name }) => name).join(', ')})`
}

function writes(s: string, { items, typed, bytes, edges }: NewNodesShape, next: number): readonly string[] {
  const embedder = typed || bytes ? 'embedder' : 'null'
  const vector = [...(typed ? ['vec'] : []), ...(bytes ? ['unit', 'quantized', 'scale', 'error'] : [])].join(', ')
  const node = `node as (
      insert into ${s}.nodes (seq, partition, id, version, concept, owner, created_by, created_at, mutation, status, payload)
      select seq, partition, id, 1, concept, ${owner}, ${actor}, ${at}, mutation, status, payload::json from given
    ), head as (
      insert into ${s}.heads (id, partition, concept, owner, version, seq, status, created_at, first_created_at, parent,
        ready, running, done, session, wake_at, remaining, held)
      select id, partition, concept, ${owner}, 1, seq, status, ${at}, ${at}, parent, ready, running, done, session,
        wake_at, remaining, held from given
    )`
  const item = `item as (
      insert into ${s}.items (key, id, owner, partition, concept, source, status, active, created_at, ages_from, text,
        lexemes, version, embedder)
      select key, id, ${owner}, partition, concept, id, status, active, ${at}, ages_from, text, lexemes::tsvector, 1,
        ${embedder}
      from given where active is not null
    )`
  const vectors = `vector as (
      insert into ${s}.vectors (key, embedder, ${vector})
      select key, embedder, ${vector} from given where embedder is not null
    )`
  const edge = `edge as (
      insert into ${s}.edges (source, field, target, depends)
      select e.* from begun
      cross join unnest($${next}::text[], $${next + 1}::text[], $${next + 2}::text[], $${next + 3}::boolean[]) e
      on conflict do nothing
    )`
  return [node, ...(items ? [item] : []), ...(typed || bytes ? [vectors] : []), ...(edges ? [edge] : [])]
}
