/**
 * The last word on order: candidates found by words or by meaning, ranked by both, and by the time a question names.
 * Each signal counts what it proved worth on labelled data, and each result carries its parts, so it can say why.
 */
import type { Passage } from './passages.ts'
import {
  analyzeQuery,
  rankLexical,
  type AnalyzedNote,
  type CorpusStatistics,
  type LexicalQuery,
} from './rank-lexical.ts'
import { asksForLatest, closeness, timeSpans } from './time-expressions.ts'

/** A question, and when it was asked. */
export interface AskedText {
  readonly text: string
  /** What "last March" leans on, in milliseconds since 1970. */
  readonly now: number
}

/** A note that may answer a question. */
export interface Candidate {
  readonly note: AnalyzedNote
  /** When the note was written, in milliseconds since 1970. */
  readonly at?: number
  /** Cosine of the question and the note, or its nearest passage; absent without an embedder or a vector. */
  readonly similarity?: number
}

/** A candidate with its score and the parts of the score. */
export interface Reranked<C extends Candidate> {
  readonly candidate: C
  readonly score: number
  /** 0 to 1: beside the best of these candidates, or beside a good answer where none is good. */
  readonly lexical: number
  /** 0 to 1: how well `at` fits the time the question names. */
  readonly time: number
  /** 0 to 1, and unlike `lexical` beside nothing: how much of what is asked stands close together in it. */
  readonly together: number
  readonly passage: Passage | undefined
}

export interface RerankWeights {
  readonly similarity: number
  readonly time: number
  /** How far the newest rises above the oldest where the present state is asked for; otherwise age only breaks ties. */
  readonly recency: number
}

// Beside 1 for words. A word table's cosine is a hint: more weight finds nothing more and costs first places.
export const rerankWeights: RerankWeights = { similarity: 0.25, time: 0.2, recency: 1 }

/** Orders candidates by words, meaning, and the time a question names. */
export function rerank<C extends Candidate>(
  question: AskedText,
  candidates: readonly C[],
  corpus: CorpusStatistics,
  weights: RerankWeights = rerankWeights,
): Reranked<C>[] {
  const query = analyzeQuery(question.text, corpus)
  const found = candidates.map((candidate) => rankLexical(query, candidate.note))
  const best = found.reduce((most, { score }) => Math.max(most, score), leastGoodScore(query))
  const spans = timeSpans(question.text, question.now)
  const results = candidates.map((candidate, i) => {
    const lexical = best === 0 ? 0 : (found[i]?.score ?? 0) / best
    const time = candidate.at === undefined ? 0 : closeness(candidate.at, spans)
    // If a vector is absent, its weight goes to the words.
    const score = lexical + weights.similarity * (candidate.similarity ?? lexical) + weights.time * time
    return { candidate, score, lexical, time, together: found[i]?.together ?? 0, passage: found[i]?.passage }
  })
  const final = asksForLatest(question.text) ? newerLifted(results, weights.recency) : results
  return final.toSorted((a, b) => b.score - a.score || newerFirst(a.candidate, b.candidate))
}

/**
 * Lifts the newer of those that answer about as well, by their place between the oldest and the newest, not by age: a
 * fact may change every day or every year. What answers badly stays where it is, however new.
 */
function newerLifted<R extends { readonly candidate: Candidate; readonly score: number }>(
  results: R[],
  weight: number,
): R[] {
  const enough = results.reduce((most, { score }) => Math.max(most, score), 0) / 2
  const times = results.flatMap(({ candidate, score }) =>
    candidate.at !== undefined && score >= enough ? [candidate.at] : [],
  )
  const oldest = Math.min(...times)
  const range = Math.max(...times) - oldest
  return results.map((result) => {
    const { at } = result.candidate
    if (at === undefined || result.score < enough || range === 0) return result
    return { ...result, score: result.score * (1 + (weight * (at - oldest)) / range) }
  })
}

/**
 * What a note scores that holds half of the question's weight well. Where no candidate does, the best one is not the
 * measure: a match on one side word would count as much as a whole answer, and drown the meaning.
 */
function leastGoodScore(query: LexicalQuery): number {
  return query.terms.reduce((sum, { weight }) => sum + weight, 0)
}

function newerFirst(a: Candidate, b: Candidate): number {
  return (b.at ?? -Infinity) - (a.at ?? -Infinity) || 0
}
