/**
 * When the events were that a question names: "before the release" means before the note that reports the release. Without one note that
 * clearly does, the words stay words.
 */
import { anchorsIn } from '../../ranking/pure/anchors.ts'
import { askingWeight } from '../../ranking/pure/asking-words.ts'
import {
  analyzeQuery,
  type AnalyzedNote,
  type CorpusStatistics,
  type LexicalQuery,
  rankLexical,
} from '../../ranking/pure/rank-lexical.ts'
import type { EventBound } from '../../ranking/pure/rerank.ts'
import type { FoundItem } from './rank-found.ts'

// How much better than the next note the one must match that reports the event, if they are of different months.
const clearly = 1.15
const closeMs = 31 * 86_400_000
// In terms; a paragraph or two. A longer note tells of more than the event, in other words than those of the question.
const mostOfReport = 100

export function eventBounds(
  text: string,
  items: readonly FoundItem[],
  corpus: CorpusStatistics,
): readonly EventBound[] {
  const anchors = anchorsIn(text)
  if (anchors.length === 0) return []
  const question = analyzeQuery(text, corpus)
  const dated = items.filter(({ of, createdAt }) => of === 'note' && createdAt > 0)
  return anchors.flatMap(({ side, names }) => {
    for (const name of names) {
      const reports = reportsOf(analyzeQuery(name, corpus), question, dated)
      // A shorter name could be that of another event, so it is not tried if several notes fit the longer one.
      if (reports.length > 0)
        return boundOf({ side, at: clearMoment(reports), reports, rest: withoutName(text, name, corpus) })
    }
    return []
  })
}

interface Found {
  readonly side: EventBound['side']
  readonly at: number | undefined
  readonly reports: readonly Report[]
  readonly rest: LexicalQuery
}

function boundOf({ side, at, reports, rest }: Found): readonly EventBound[] {
  if (at === undefined) return []
  const only = reports.filter(({ note }) => isOnlyReport(note, rest))
  return [{ side, at, reports: new Set(only.map(({ note }) => note)), rest }]
}

/**
 * Whether a note only reports such an event: that of somebody else, or it says less than half of what else is asked for. The name of whom it
 * is about tells nothing, because the event and the answer are both theirs. "What happened after the release?" asks for nothing else.
 */
function isOnlyReport(note: AnalyzedNote, rest: LexicalQuery): boolean {
  if (note.length > mostOfReport) return false
  const { whole } = rankLexical(rest, note).matched
  let [asked, said] = [0, 0]
  for (const [i, { stem, isName, weight }] of rest.terms.entries()) {
    if (isName && whole[i] === 0) return true
    if (isName || askingWeight(stem) < 1) continue
    asked += weight
    said += weight * (whole[i] ?? 0)
  }
  return said * 2 < asked
}

function withoutName(text: string, name: string, corpus: CorpusStatistics): LexicalQuery {
  return analyzeQuery(text.normalize('NFKC').replace(name, ' '), corpus)
}

interface Report {
  readonly note: AnalyzedNote
  readonly createdAt: number
  /** How well it fits the name of the event, and the whole question. */
  readonly score: number
  readonly whole: number
}

/** The notes that name the event. */
function reportsOf(name: LexicalQuery, question: LexicalQuery, notes: readonly FoundItem[]): readonly Report[] {
  if (name.terms.length === 0) return []
  return notes.flatMap(({ analyzed, createdAt }) => {
    const { score, matched } = rankLexical(name, analyzed)
    const isNamed = matched.near.every((isThere) => isThere === 1)
    return isNamed ? [{ note: analyzed, createdAt, score, whole: rankLexical(question, analyzed).score }] : []
  })
}

/** When the event was; `undefined` if notes of different times report it equally well. */
function clearMoment(reports: readonly Report[]): number | undefined {
  const best = reports.reduce((most, { score }) => Math.max(most, score), 0)
  const likely = reports.filter(({ score }) => score * clearly >= best)
  // Of several releases, the one of the project is meant that the question is about.
  const [first, ...others] = likely.toSorted((a, b) => b.whole - a.whole)
  if (first === undefined) return undefined
  const isClear = others.every(
    ({ whole, createdAt }) => first.whole >= clearly * whole || Math.abs(createdAt - first.createdAt) < closeMs,
  )
  return isClear ? first.createdAt : undefined
}
