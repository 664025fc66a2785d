/** One recall inside one snapshot: scan, statement and certificate. The lists are widened until the certificate holds. */
import { type RecallAnswer, type RecallHit, type RecallWeights, recency } from '@agentm/nodes'
import {
  ceilingOutside,
  heaviest,
  isCertified,
  isKeptCurrent,
  lexicalTerms,
  type QueryVector,
  type RecallArguments,
  scopeWeights,
} from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import type { Row, SqlValue } from './database.ts'
import { findEmbedder } from './embedders.ts'
import { providePow } from './provide-pow.ts'
import { filterOf, recallStatement, type StatementShape } from './pure/recall-statement.ts'
import { objectIn, optionalText } from './rows.ts'
import type { StoreContext } from './store-context.ts'
import type { VectorCache } from './vector-cache.ts'

export interface Asked {
  readonly args: RecallArguments
  readonly vector: QueryVector | undefined
  readonly at: number
}

export interface RecallParts {
  readonly cache: VectorCache
  readonly cosine: CosineFunction
  /** The initial length of the candidate lists. */
  readonly depth: number
}

interface Prepared extends Asked {
  readonly shape: StatementShape
  readonly match: string | null
  readonly embedder: { readonly number: number; readonly dimensions: number } | undefined
  readonly weights: readonly (readonly [string, RecallWeights])[]
  readonly otherWeights: RecallWeights
  readonly most: RecallWeights
  readonly pending: number
}

/** The SQL function for an exact cosine. The query vector is set before each statement. */
export class CosineFunction {
  query: Float32Array | undefined

  register(reader: Connection): void {
    providePow(reader.database)
    reader.database.function('unit_dot', { deterministic: true }, (blob) => this.#cosine(blob))
  }

  #cosine(blob: Uint8Array): number {
    const { query } = this
    if (query === undefined || blob.byteLength !== query.byteLength) return 0
    const bytes = blob.byteOffset % 4 === 0 ? blob : new Uint8Array(blob)
    const values = new Float32Array(bytes.buffer, bytes.byteOffset, query.length)
    let sum = 0
    for (let i = 0; i < query.length; i++) sum += (values[i] ?? 0) * (query[i] ?? 0)
    return sum
  }
}

export function recallFrom(context: StoreContext, { cache, cosine, depth }: RecallParts, asked: Asked): RecallAnswer {
  const { reader } = context
  const prepared = prepare(context, asked)
  const index = prepared.embedder === undefined ? undefined : cache.current(prepared.embedder)
  cosine.query = prepared.embedder === undefined ? undefined : asked.vector?.unit
  const { k } = asked.args
  let n = prepared.shape.words ? Math.max(depth, k) : k
  for (let widened = 0; ; widened++) {
    const candidates = index?.candidates(asked.vector?.unit ?? [], {
      n,
      at: asked.at,
      weightsOf: (scope) => scopeWeights(asked.args, scope, context.concepts),
    })
    const rows = reader.all(recallStatement(prepared.shape), ...valuesOf(prepared, candidates?.keys ?? [], n))
    const ceiling = ceilingOf(prepared, candidates?.bound, rows[0])
    const scores = rows.map((row) => Number(row['score']))
    if (isCertified(scores, k, ceiling))
      return {
        hits: rows.map((row) => hitOf(context, row)),
        pending: prepared.pending,
        certified: true,
        widened,
        at: asked.at,
      }
    n *= 4
  }
}

function prepare({ reader, concepts }: StoreContext, asked: Asked): Prepared {
  const { args, vector } = asked
  const embedder = vector === undefined ? undefined : findEmbedder(reader, vector.embedder)
  const comparable = embedder !== undefined && embedder.dimensions === vector?.unit.length ? embedder : undefined
  const weights = [...concepts]
    .filter(({ name }) => isPresent(reader, args, name))
    .map(({ name }) => [name, args.weightsOf(name)] as const)
  const otherWeights = args.weightsOf('')
  const most = heaviest([otherWeights, ...weights.map(([, each]) => each)])
  const filters = {
    concepts: args.concepts !== undefined,
    partitions: args.partitions !== undefined,
    status: args.status !== undefined,
    window: args.notBefore !== undefined,
    current: [...concepts].filter(isKeptCurrent).map(({ name }) => name),
  }
  const several = reader.number('select count(*) from embedders') > 1
  const without = countWithoutVector(reader, args, filters, { comparable: comparable?.number, several })
  const match = matchOf(args.text)
  // Words count if they have weight, or if an item has no vector to compare.
  const words = match !== null && (most.wLex > 0 || (without > 0 && most.wSem > 0))
  const sparse = comparable !== undefined && !several && without < countedUpTo
  const newest = without === 0 ? 'none' : sparse ? 'few' : 'many'
  const shape = { ...filters, words, similarity: comparable !== undefined, newest } as const
  return {
    ...asked,
    shape,
    match,
    embedder: comparable,
    weights,
    otherWeights,
    most,
    pending: vector === undefined ? 0 : without,
  }
}

/** Whether any item of a concept can be in scope, because weights of absent concepts must not widen the search. */
function isPresent(reader: Connection, { owner, concepts }: RecallArguments, concept: string): boolean {
  if (concepts?.includes(concept) === false) return false
  return reader.get('select 1 from heads where owner = ? and concept = ? limit 1', owner, concept) !== undefined
}

/** Counting stops here. It is enough to know roughly how many there are, and counting a large backlog at each query would be slow. */
const countedUpTo = 1000

function countWithoutVector(
  reader: Connection,
  args: RecallArguments,
  filters: Parameters<typeof filterOf>[0],
  { comparable, several }: { readonly comparable: number | undefined; readonly several: boolean },
): number {
  const wanting = {
    all: 'recall r where ?6',
    other: 'recall r where r.embedder is not ?6',
    none: 'recall r indexed by recall_pending where r.embedder is null and ?6',
  }
  const from = comparable === undefined ? wanting.all : several ? wanting.other : wanting.none
  return reader.number(
    `select count(*) from (select 1 from ${from} and ${filterOf(filters)} limit ${countedUpTo})`,
    ...filterValues(args),
    comparable ?? 1,
  )
}

function filterValues({ owner, concepts, partitions, status, notBefore }: RecallArguments): readonly SqlValue[] {
  return [owner, jsonList(concepts), jsonList(partitions), jsonList(status), notBefore ?? null]
}

function jsonList(list: readonly string[] | undefined): string | null {
  return list === undefined ? null : JSON.stringify(list)
}

function valuesOf(prepared: Prepared, keys: readonly number[], n: number): readonly SqlValue[] {
  const { args, match, embedder, at, weights, otherWeights } = prepared
  const rows = weights.map(([concept, { wSem, wLex, wRec, halfLife }]) => [concept, wSem, wLex, wRec, halfLife])
  const { wSem, wLex, wRec, halfLife } = otherWeights
  const lists = [JSON.stringify(keys), match, n, embedder?.number ?? -1]
  return [...filterValues(args), ...lists, at, args.k, JSON.stringify(rows), wSem, wLex, wRec, halfLife]
}

function matchOf(text: string): string | null {
  const terms = lexicalTerms(text)
  return terms.length === 0 ? null : terms.map((phrase) => `"${phrase.join(' ')}"`).join(' OR ')
}

/**
 * The highest score that an item outside the lists can have. If no rows came back, the lists by words and time contain everything that the
 * filters allow. The candidates of the scan may all have been filtered out, so its bound still counts.
 */
function ceilingOf({ most, at }: Prepared, bound: number | undefined, row: Row | undefined): number | undefined {
  const newestEnd = row?.['newest_end'] ?? null
  return ceilingOutside(
    {
      vector: bound,
      lexical: Number(row?.['lex_end'] ?? 0),
      recency: newestEnd === null ? undefined : recency(Number(newestEnd), at, most.halfLife),
    },
    most,
  )
}

function hitOf({ concepts }: StoreContext, row: Row): RecallHit {
  const concept = String(row['concept'])
  const payload = objectIn(row['payload'])
  return {
    id: String(row['id']),
    concept,
    partition: String(row['partition']),
    status: optionalText(row['status']),
    createdAt: Number(row['made_at']),
    payload,
    text: concepts.find(concept)?.recallable?.text(payload) ?? '',
    version: Number(row['version']),
    similarity: row['similarity'] === null ? undefined : Number(row['similarity']),
    lexical: Number(row['lexical']),
    recency: Number(row['recency']),
    score: Number(row['score']),
  }
}
