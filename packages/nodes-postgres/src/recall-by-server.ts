/**
 * Recall with vectors ranked by the server. Few vectors are compared one by one, which is exact. Many are found through
 * an HNSW index: the nearest, the newest and the best by words are candidates, scored in the same statement, and the
 * threshold certificate says whether anything else could matter; it is as good as the index. Where it does not hold, the
 * lists grow, and in the end everything is compared.
 */
import { ceilingOutside, isCertified, type RecallAnswer, type RecallHit, recency } from '@agentm/nodes'
import type { KnownEmbedder } from './embedders.ts'
import { heaviest, presentConcepts, weightedConcepts } from './pure/heaviest.ts'
import { lexemeQuery } from './pure/lexemes.ts'
import { rankedStatement, type RankedRow } from './pure/ranked-statement.ts'
import { hitOf, type RecallQuestion } from './recall-question.ts'
import type { StoreParts } from './store-parts.ts'

type Answer = Omit<RecallAnswer, 'widened'>

const firstSize = 512
/** The index looks at no more candidates than this at once. */
const mostByIndex = 1024

export class RecallByServer {
  readonly #parts: StoreParts
  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  async recall(question: RecallQuestion): Promise<RecallAnswer> {
    const { embedder, asked } = question
    let widened = 0
    if (embedder !== undefined && (await this.#parts.near.isReady(embedder.id)))
      for (let size = Math.max(firstSize, asked.k); size <= mostByIndex; size *= 2, widened++) {
        const answer = await this.#byIndex(question, embedder, size)
        if (answer.certified) return { ...answer, widened }
      }
    return { ...(await this.#byComparing(question)), widened }
  }

  async #byIndex(question: RecallQuestion, embedder: KnownEmbedder, size: number): Promise<Answer> {
    const rows = await this.#ranked(question, { size, embedder })
    const answer = answerOf(question, rows)
    const ceiling = this.#ceiling(question, rows[0], size)
    if (ceiling === 'unknown') return { ...answer, certified: false }
    const scores = answer.hits.map(({ score }) => score)
    return { ...answer, certified: isCertified(scores, question.asked.k, ceiling) }
  }

  /** The most that anything outside the lists can score. */
  #ceiling(question: RecallQuestion, meta: RankedRow | undefined, size: number): number | undefined | 'unknown' {
    const { asked, at } = question
    if (meta === undefined || meta.newest_count < size) return undefined
    // An index that gave up before the list was full says nothing about what it did not reach.
    if (meta.near_count < size) return 'unknown'
    const names = presentConcepts(this.#names(question), this.#parts.concepts, meta.present)
    const most = heaviest(asked, names)
    const fresh = (halfLife: number) => recency(meta.newest_end ?? 0, at, halfLife)
    const nearest = names.map((name) => {
      const { wSem, wRec, halfLife } = asked.weightsOf(name)
      return wSem * (meta.near_end ?? 0) + wRec * fresh(halfLife)
    })
    const ends = {
      vector: Math.max(...nearest),
      lexical: meta.lex_count < size ? 0 : meta.lex_end,
      recency: meta.pending === 0 ? undefined : fresh(most.halfLife),
    }
    return ceilingOutside(ends, most)
  }

  async #byComparing(question: RecallQuestion): Promise<Answer> {
    return answerOf(question, await this.#ranked(question, undefined))
  }

  #names({ asked, query }: RecallQuestion): readonly string[] {
    return weightedConcepts(asked, this.#parts.concepts, query.weights)
  }

  /** Without a size, everything in scope is a candidate. */
  async #ranked(
    { asked, at, vector, embedder, query }: RecallQuestion,
    listed: { readonly size: number; readonly embedder: KnownEmbedder } | undefined,
  ): Promise<readonly RankedRow[]> {
    const { database, embedders, concepts } = this.#parts
    const names = weightedConcepts(asked, concepts, query.weights)
    const { text, values } = rankedStatement({
      schema: database.schema,
      concepts,
      vectorType: embedders.type,
      asked,
      at,
      weights: names.map((name) => ({ name, isLogged: concepts.has(name), ...asked.weightsOf(name) })),
      vector: vector ?? new Float32Array([1]),
      embedder: embedder?.id ?? 0,
      dimensions: embedder?.dimensions ?? 1,
      words: lexemeQuery(query.text) ?? '',
      listed: listed?.size,
    })
    return database.read<RankedRow>({ text, values })
  }
}

function answerOf({ named, at }: RecallQuestion, rows: readonly RankedRow[]): Answer {
  const hits = rows
    .filter(({ item }) => item !== null)
    .map((row): RecallHit =>
      hitOf(row, {
        similarity: row.similarity ?? undefined,
        lexical: row.lexical,
        recency: row.recency,
        score: row.score,
      }),
    )
  return { hits, pending: named ? (rows[0]?.pending ?? 0) : 0, certified: true, at }
}
