/**
 * The final order: candidates that were found by words or by meaning are ranked by both, and by the time that a question names.
 * Weights were measured on labelled data. Each result has the parts of its score, so that the order can be explained.
 */
import type { Passage } from './passages.ts'
import {
  analyzeQuery,
  rankLexical,
  type AnalyzedNote,
  type CorpusStatistics,
  type LexicalQuery,
  type LexicalScore,
  type MatchedTerms,
} from './rank-lexical.ts'
import type { RelatedWords } from './related-words.ts'
import { asksForLatest, closeness, timeSpans, type WallTime } from './time-expressions.ts'

/** A question, and when it was asked. */
export interface AskedText {
  readonly text: string
  /** The time that expressions such as "last March" refer to, in milliseconds since 1970. */
  readonly now: number
  /** The wall clock of the person who asks, which decides what "yesterday" is (default: UTC). */
  readonly wallTime?: WallTime
  /** Words that can stand for those of the question (default: none). */
  readonly related?: RelatedWords | undefined
  /** The analysed text, if the caller ranks several lists (default: it is analysed here). */
  readonly query?: LexicalQuery
  /** When the events were that the question names. */
  readonly events?: readonly EventBound[]
}

/** An event, and on which side of it the answer lies. */
export interface EventBound {
  readonly side: 'before' | 'after'
  readonly at: number
  /** The notes that report such an event. They count by what else the question asks for, because its time is known. */
  readonly reports?: ReadonlySet<AnalyzedNote>
  /** The question without the name of the event. */
  readonly rest?: LexicalQuery
}

/** A note that may answer a question. */
export interface Candidate {
  readonly note: AnalyzedNote
  /** When the note was written, in milliseconds since 1970. */
  readonly at?: number
  /** The cosine of the question and the note, or its nearest passage; absent without an embedder or a vector. */
  readonly similarity?: number
}

/** A candidate with its score and the parts of the score. */
export interface Reranked<C extends Candidate> {
  readonly candidate: C
  readonly score: number
  /** The match by words, 0 to 1, relative to the best candidate, or to a good answer if no candidate is good. */
  readonly lexical: number
  /** 0 to 1: how well `at` fits the time the question names. */
  readonly time: number
  /** How much of the question appears close together in the note, 0 to 1. Unlike `lexical` it is not relative to other candidates. */
  readonly together: number
  /** Which terms of the question the note contains, in the order of `analyzeQuery`. */
  readonly matched: MatchedTerms
  readonly passage: Passage | undefined
}

export interface RerankWeights {
  readonly similarity: number
  readonly time: number
  /** How much the newest note is raised above the oldest if the question asks for the current state. Otherwise age only breaks ties. */
  readonly recency: number
}

// Words have weight 1. The cosine of a word table is only a hint: more weight finds no more answers and loses first places.
export const rerankWeights: RerankWeights = { similarity: 0.25, time: 0.2, recency: 1 }

/** Orders candidates by words, by meaning, and by the time that a question names. */
export function rerank<C extends Candidate>(
  question: AskedText,
  candidates: readonly C[],
  corpus: CorpusStatistics,
  weights: RerankWeights = rerankWeights,
): Reranked<C>[] {
  if (candidates.length === 0) return []
  const query = question.query ?? analyzeQuery(question.text, corpus, { related: question.related })
  const found = candidates.map(({ note }) => matchOf(note, query, question.events))
  const best = found.reduce((most, { score }) => Math.max(most, score), leastGoodScore(query))
  const spans = timeSpans(question.text, question.now, question.wallTime)
  const results = candidates.flatMap((candidate, i) => {
    const match = found[i]
    if (match === undefined) return []
    const { together, matched, passage } = match
    const lexical = best === 0 ? 0 : match.score / best
    const time =
      candidate.at === undefined
        ? 0
        : Math.max(closeness(candidate.at, spans, question.wallTime), besideEvents(candidate.at, question.events))
    // If a candidate has no vector, that weight goes to the words.
    const score = lexical + weights.similarity * (candidate.similarity ?? lexical) + weights.time * time
    return [{ candidate, score, lexical, time, together, matched, passage }]
  })
  const until = untilOf(question)
  const final = until === undefined ? results : newerLifted(results, weights.recency, until)
  return final.toSorted((a, b) => b.score - a.score || newerFirst(a.candidate, b.candidate))
}

function matchOf(note: AnalyzedNote, query: LexicalQuery, events: readonly EventBound[] = []): LexicalScore {
  const match = rankLexical(query, note)
  const rest = events.find(({ reports }) => reports?.has(note))?.rest
  return rest === undefined ? match : { ...match, score: rankLexical(rest, note).score }
}

// A note on the right side of an event need not be about it, so it counts half as much as one of a named time.
const besideEvent = 0.5
const halfLifeBesideMs = 365 * 86_400_000

/** How well a time fits the events: nearer to the event is better, because what was so before it was so shortly before it. */
function besideEvents(at: number, events: readonly EventBound[] = []): number {
  return events.reduce((best, event) => {
    const distance = event.side === 'before' ? event.at - at : at - event.at
    return distance > 0 ? Math.max(best, besideEvent * 2 ** (-distance / halfLifeBesideMs)) : best
  }, 0)
}

/** Up to when the newest answer is wanted; `undefined` if the question asks for no state. */
function untilOf({ text, events = [] }: AskedText): number | undefined {
  // What was so before an event is what the newest note before it says.
  const before = events.filter(({ side }) => side === 'before').map(({ at }) => at)
  return before.length > 0 ? Math.min(...before) : asksForLatest(text) ? Infinity : undefined
}

/**
 * Raises the newer ones among notes that answer about equally well. It uses their position between the oldest and the newest
 * instead of their age, because a fact may change every day or every year. Poor answers stay where they are.
 */
function newerLifted<R extends { readonly candidate: Candidate; readonly score: number }>(
  results: R[],
  weight: number,
  until: number,
): R[] {
  const early = results.filter(({ candidate: { at } }) => at === undefined || at < until)
  const enough = early.reduce((most, { score }) => Math.max(most, score), 0) / 2
  const times = early.flatMap(({ candidate, score }) =>
    candidate.at !== undefined && score >= enough ? [candidate.at] : [],
  )
  const oldest = Math.min(...times)
  const range = Math.max(...times) - oldest
  return results.map((result) => {
    const { at } = result.candidate
    if (at === undefined || at >= until || result.score < enough || range === 0) return result
    return { ...result, score: result.score * (1 + (weight * (at - oldest)) / range) }
  })
}

/**
 * The score of a note that matches half of the question's weight well. If no candidate reaches it, scores are relative to it,
 * because a match on one minor word would otherwise count as a full answer and outweigh the meaning.
 */
function leastGoodScore(query: LexicalQuery): number {
  return query.terms.reduce((sum, { weight }) => sum + weight, 0)
}

function newerFirst(a: Candidate, b: Candidate): number {
  return (b.at ?? -Infinity) - (a.at ?? -Infinity) || 0
}
