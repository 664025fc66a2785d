/** Orders what was found, and says of each why it is where it is. */
import { byRank, recallScore, type RecallSignals, type RecallWeights, recency } from '@agentm/nodes'
import type { MemoryKind, RecallResult } from '../recall-request.ts'
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
  readonly text: string
  readonly alwaysLoad: boolean
  readonly section: string
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

export function rankFound(question: Question, items: readonly FoundItem[], ranking: Ranking): RecallResult[] {
  const candidates = items.map((item) => ({
    item,
    note: item.analyzed,
    ...(item.createdAt === 0 ? {} : { at: item.createdAt }),
    ...(item.similarity === undefined ? {} : { similarity: item.similarity }),
  }))
  const ranked = rerank(question, candidates, ranking.corpus).map(({ candidate, passage, ...signals }) => {
    const { item } = candidate
    const quoted = passage === undefined ? undefined : item.text.slice(passage.start, passage.end)
    return { item, passage: quoted, ...signals, recency: recency(item.agesFrom, question.now, shownHalfLife) }
  })
  const { formula } = ranking
  if (formula === undefined) return ranked.filter(isAnswer).map(resultOf)
  return ranked.map((each) => resultOf(byFormula(each, formula(each.item.of), question.now))).toSorted(byRank)
}

type RankedItem = RecallSignals & {
  readonly item: FoundItem
  readonly passage: string | undefined
  readonly time: number
  readonly score: number
}

/** Nothing said, nothing meant, and not of the time asked for: no answer at all. */
function isAnswer({ lexical, time, item }: Pick<RankedItem, 'lexical' | 'time' | 'item'>): boolean {
  return lexical > 0 || time > 0.5 || (item.similarity ?? 0) > 0
}

function byFormula<R extends Omit<RankedItem, 'similarity'>>(ranked: R, weights: RecallWeights, now: number): R {
  const { item } = ranked
  const signals = {
    similarity: item.similarity,
    lexical: item.lexical ?? ranked.lexical,
    recency: recency(item.agesFrom, now, weights.halfLife),
  }
  return { ...ranked, lexical: signals.lexical, recency: signals.recency, score: recallScore(signals, weights) }
}

function resultOf({
  item,
  passage,
  lexical,
  recency: fresh,
  time,
  score,
}: Omit<RankedItem, 'similarity'>): RecallResult {
  const { id, of, key, project, kind, status, title, tags, createdAt, text, similarity, alwaysLoad, section } = item
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
    passage,
    similarity,
    lexical,
    recency: fresh,
    time,
    score,
    alwaysLoad,
    section,
  }
}
