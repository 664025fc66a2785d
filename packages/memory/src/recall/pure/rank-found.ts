/** Orders the candidates and adds the reasons for each one's rank. */
import { byRank, recallScore, type RecallWeights, recency } from '@agentm/nodes'
import type { MemoryKind } from '../recall-request.ts'
import type { IndexedNote } from '../../index/pure/indexed-note.ts'
import type { Author } from '../../notes/pure/shown.ts'
import type { Passage } from '../../ranking/pure/passages.ts'
import { cosineScale } from '../../ranking/pure/cosine-scale.ts'
import type { AnalyzedNote, CorpusStatistics, MatchedTerms } from '../../ranking/pure/rank-lexical.ts'
import { type AskedText, rerank, rerankWeights } from '../../ranking/pure/rerank.ts'

/** A candidate for an answer. */
export interface FoundItem {
  readonly id: string
  readonly of: MemoryKind
  readonly key?: string
  /** What the index knows of a note. */
  readonly facts?: IndexedNote
  /** Set for a published belief. */
  readonly version?: number
  readonly project: string
  readonly kind: string
  readonly status: string
  readonly title: string
  readonly tags: readonly string[]
  /** In epoch milliseconds; 0 if the time is unknown. */
  readonly createdAt: number
  readonly agesFrom: number
  /** Absent if it was not opened for this question. */
  readonly text: string | undefined
  readonly alwaysLoad: boolean
  readonly section: string
  readonly writtenBy?: Author
  readonly analyzed: AnalyzedNote
  readonly similarity: number | undefined
  /** Whether a program wrote it only to log its progress. */
  readonly isRoutine: boolean
  /** The store's score by words; only for nodes of the log. */
  readonly lexical: number | undefined
  /** What a link from a better result adds to its score. */
  readonly linked?: number
}

export interface Ranking {
  readonly corpus: CorpusStatistics
  /** Orders by the formula with these weights instead of by the measured ranking. */
  readonly formula?: (of: MemoryKind) => RecallWeights
  /** How much meaning counts beside 1 for words, by an embedder whose cosines are compared with each other (default: raw cosines). */
  readonly meaningWeight?: number | undefined
}

const shownHalfLife = 90 * 86_400

export interface RankedItem {
  readonly item: FoundItem
  /** Where in the text the answer is. */
  readonly passage: Passage | undefined
  readonly lexical: number
  readonly recency: number
  readonly time: number
  readonly score: number
  readonly together: number
  readonly matched: MatchedTerms
}

/** Best first, without candidates that do not match at all. */
export function rankFound(question: AskedText, items: readonly FoundItem[], ranking: Ranking): RankedItem[] {
  // Each kind is ranked separately, because tool output that repeats the question would make every real answer look poor.
  const { weights, scale } = meaningOf(items, ranking)
  const ranked = kindWeights.flatMap(([name, weight]) => {
    const candidates = items.filter((item) => groupOf(item) === name).map((item) => candidateOf(item, scale))
    return rerank(question, candidates, ranking.corpus, weights).map(({ candidate: { item }, score, ...signals }) => {
      const linked = item.linked ?? 0
      return {
        item,
        ...signals,
        score: score * weight + linked,
        recency: recency(item.agesFrom, question.now, shownHalfLife),
      }
    })
  })
  const { formula } = ranking
  if (formula === undefined) return ranked.filter(isAnswer).toSorted((a, b) => b.score - a.score || newerFirst(a, b))
  return ranked.map((each) => byFormula(each, formula(each.item.of), question.now)).toSorted(byRankOfItem)
}

export type Group = 'kept' | 'said' | 'printed'

/**
 * Notes and beliefs are written to be found again. Tool output is not: it repeats the words of its request, and would be ranked
 * above the note that answers. Measured with `npm run eval -- floor`.
 */
const kindWeights: readonly (readonly [Group, number])[] = [
  ['kept', 1],
  ['said', 0.9],
  ['printed', 0.5],
]

/** How much an entry counts beside a note, because of what it is. */
export function kindWeightOf(item: FoundItem): number {
  return kindWeights.find(([name]) => name === groupOf(item))?.[1] ?? 1
}

export function groupOf({ of, kind }: FoundItem): Group {
  if (of === 'session') return 'said'
  if (of !== 'episode') return 'kept'
  return kind === 'note' || kind === 'decision' ? 'said' : 'printed'
}

/** How the cosines of this question count. Those of all groups are compared with each other, because one embedder made them. */
function meaningOf(items: readonly FoundItem[], { meaningWeight: similarity }: Ranking) {
  if (similarity === undefined) return { weights: rerankWeights, scale: (cosine: number) => cosine }
  const scale = cosineScale(items.flatMap((item) => item.similarity ?? []))
  return { weights: { ...rerankWeights, similarity }, scale }
}

function candidateOf(item: FoundItem, scale: (cosine: number) => number) {
  const { similarity: cosine } = item
  const similarity = cosine === undefined ? undefined : scale(cosine)
  return {
    item,
    note: item.analyzed,
    ...(item.createdAt === 0 ? {} : { at: item.createdAt }),
    ...(similarity === undefined ? {} : { similarity }),
  }
}

/** Equals are ordered by what does not depend on the index. */
function newerFirst({ item: a }: RankedItem, { item: b }: RankedItem): number {
  return b.createdAt - a.createdAt || ((a.key ?? a.id) < (b.key ?? b.id) ? -1 : 1)
}

function byRankOfItem(a: RankedItem, b: RankedItem): number {
  return byRank(rankOf(a), rankOf(b))
}

function rankOf({ score, item: { createdAt, id } }: RankedItem) {
  return { score, createdAt, id }
}

/** Whether it matches by words, by meaning or by time. */
function isAnswer({ lexical, time, item }: RankedItem): boolean {
  return lexical > 0 || time > 0.5 || (item.similarity ?? 0) > 0
}

function byFormula(ranked: RankedItem, weights: RecallWeights, now: number): RankedItem {
  const { item } = ranked
  const signals = {
    similarity: item.similarity,
    lexical: ranked.lexical,
    recency: recency(item.agesFrom, now, weights.halfLife),
  }
  return { ...ranked, lexical: signals.lexical, recency: signals.recency, score: recallScore(signals, weights) }
}
