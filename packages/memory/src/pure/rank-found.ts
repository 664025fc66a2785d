/** Orders what was found, and says of each why it is where it is. */
import { byRank, recallScore, type RecallWeights, recency } from '@agentm/nodes'
import type { MemoryKind, RecallResult } from '../recall-request.ts'
import type { Author } from './shown.ts'
import type { Passage } from './passages.ts'
import type { AnalyzedNote, CorpusStatistics } from './rank-lexical.ts'
import { type Question, rerank } from './rerank.ts'

/** Something that may answer. */
export interface FoundItem {
  readonly id: string
  readonly of: MemoryKind
  readonly key?: string
  /** Of a published belief. */
  readonly version?: number
  readonly project: string
  readonly kind: string
  readonly status: string
  readonly title: string
  readonly tags: readonly string[]
  /** 0 where nothing says when. */
  readonly createdAt: number
  readonly agesFrom: number
  /** Absent where it was not opened for this question. */
  readonly text: string | undefined
  readonly alwaysLoad: boolean
  readonly section: string
  readonly writtenBy?: Author
  readonly analyzed: AnalyzedNote
  readonly similarity: number | undefined
  /** The store's own signal of words; absent for what the store does not know yet. */
  readonly lexical: number | undefined
}

export interface Ranking {
  readonly corpus: CorpusStatistics
  /** Order by the formula with these weights instead of by the measured ranking. */
  readonly formula?: (of: MemoryKind) => RecallWeights
}

const shownHalfLife = 90 * 86_400

export interface RankedItem {
  readonly item: FoundItem
  /** Where in its text the answer is. */
  readonly passage: Passage | undefined
  readonly lexical: number
  readonly recency: number
  readonly time: number
  readonly score: number
}

/** Best first; without what is no answer at all. */
export function rankFound(question: Question, items: readonly FoundItem[], ranking: Ranking): RankedItem[] {
  const candidates = items.map((item) => ({
    item,
    note: item.analyzed,
    ...(item.createdAt === 0 ? {} : { at: item.createdAt }),
    ...(item.similarity === undefined ? {} : { similarity: item.similarity }),
  }))
  const ranked = rerank(question, candidates, ranking.corpus).map(({ candidate: { item }, ...signals }) => {
    return { item, ...signals, recency: recency(item.agesFrom, question.now, shownHalfLife) }
  })
  const { formula } = ranking
  if (formula === undefined) return ranked.filter(isAnswer)
  return ranked.map((each) => byFormula(each, formula(each.item.of), question.now)).toSorted(byRankOfItem)
}

function byRankOfItem(a: RankedItem, b: RankedItem): number {
  return byRank(rankOf(a), rankOf(b))
}

function rankOf({ score, item: { createdAt, id } }: RankedItem) {
  return { score, createdAt, id }
}

/** Nothing said, nothing meant, and not of the time asked for: no answer at all. */
function isAnswer({ lexical, time, item }: RankedItem): boolean {
  return lexical > 0 || time > 0.5 || (item.similarity ?? 0) > 0
}

function byFormula(ranked: RankedItem, weights: RecallWeights, now: number): RankedItem {
  const { item } = ranked
  const signals = {
    similarity: item.similarity,
    lexical: item.lexical ?? ranked.lexical,
    recency: recency(item.agesFrom, now, weights.halfLife),
  }
  return { ...ranked, lexical: signals.lexical, recency: signals.recency, score: recallScore(signals, weights) }
}

export function resultOf({ item, passage, lexical, recency: fresh, time, score }: RankedItem): RecallResult {
  const {
    id,
    of,
    key,
    project,
    kind,
    status,
    title,
    tags,
    createdAt,
    text = '',
    similarity,
    alwaysLoad,
    section,
    writtenBy,
  } = item
  return {
    id,
    of,
    ...(key === undefined ? {} : { key }),
    project,
    kind,
    status,
    title,
    tags,
    createdAt,
    text,
    passage: passage === undefined ? undefined : text.slice(passage.start, passage.end),
    similarity,
    lexical,
    recency: fresh,
    time,
    score,
    alwaysLoad,
    section,
    ...(writtenBy === undefined ? {} : { writtenBy }),
  }
}
