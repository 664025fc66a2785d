/** Adds to each result of a ranking the evidence and the probability that it answers the question. */
import type { AnalyzedNote, CorpusStatistics, LexicalQuery } from '../../ranking/pure/rank-lexical.ts'
import { stemOf } from '../../ranking/pure/term-code.ts'
import { askedWords } from './asked-words.ts'
import { type Evidence, evidenceFor } from './answer-evidence.ts'
import { type JudgedEmbedder, probabilityOf } from './floor.ts'
import type { RecallResult } from '../recall-request.ts'
import { groupOf, type RankedItem } from './rank-found.ts'

export interface JudgedItem extends RankedItem {
  readonly evidence: Evidence
  readonly probability: number
}

export interface Asked {
  readonly text: string
  /** The same text, analysed. */
  readonly query: LexicalQuery
  readonly corpus: CorpusStatistics
  /** The embedder that made the cosines. */
  readonly embedder: JudgedEmbedder | undefined
}

export function judged(ranked: readonly RankedItem[], { text, query, corpus, embedder }: Asked): readonly JudgedItem[] {
  const evidenceOf = evidenceFor(askedWords(text, query, corpus))
  return ranked.map((each) => {
    const { matched, time, item } = each
    const title = titleOf(item.analyzed).map((code) => query.places.get(code) ?? -1)
    const evidence = evidenceOf({ matched, title, time, similarity: item.similarity })
    return { ...each, evidence, probability: probabilityOf(evidence, embedder, groupOf(item)) }
  })
}

/** The codes of the stems in the title. */
function titleOf({ terms, titleLength }: AnalyzedNote): readonly number[] {
  return [...new Set(Array.from(terms.subarray(0, titleLength), stemOf))]
}

export function resultOf({
  item,
  passage,
  lexical,
  recency: fresh,
  time,
  score,
  together,
  ...judgement
}: JudgedItem): RecallResult {
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
    // A turn is short, and what it was asked explains what was done.
    passage: passage === undefined || of === 'session' ? undefined : text.slice(passage.start, passage.end),
    similarity,
    lexical,
    recency: fresh,
    time,
    score,
    together,
    probability: judgement.probability,
    evidence: judgement.evidence,
    alwaysLoad,
    section,
    ...(writtenBy === undefined ? {} : { writtenBy }),
  }
}
