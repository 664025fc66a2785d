/** Why each result has its place, and what was left out: what `agentm recall --explain` tells a person. */
import { analyzeQuery, type CorpusStatistics } from '../../ranking/pure/rank-lexical.ts'
import type { AskedText } from '../../ranking/pure/rerank.ts'
import { asksForLatest, type TimeSpan, timeSpans } from '../../ranking/pure/time-expressions.ts'
import { termsOf } from '../../ranking/pure/tokenize.ts'
import type { JudgedItem } from './judged.ts'
import { kindWeightOf } from './rank-found.ts'

/** Why the results of one recall have their places. */
export interface Explanation {
  /** How many notes the words were counted in. */
  readonly notes: number
  /** The words of the question that count. */
  readonly words: readonly CountedWord[]
  /** The times that the question names, as a wall clock shows them. */
  readonly times: readonly TimeSpan[]
  /** Whether the question asks for the present state, so that newer notes count more. */
  readonly prefersNewer: boolean
  /** In the order of the results. */
  readonly results: readonly ResultReasons[]
  /** The best of what was not shown. */
  readonly leftOut: readonly LeftOutResult[]
  /** How many more results there are, beyond the number that was asked for. */
  readonly more: number
}

/** A word of the question, and how many notes contain it. The fewer, the more it counts. */
export interface CountedWord {
  readonly word: string
  readonly notes: number
}

/** Why one result has its place. The figures are in the result itself. */
export interface ResultReasons {
  readonly id: string
  /** Words of the question in the passage that answers best, or in the title. */
  readonly inPassage: readonly string[]
  /** Words of the question elsewhere in the note. */
  readonly elsewhere: readonly string[]
  readonly absent: readonly string[]
  /** How much an entry of this kind counts: 1 for notes and beliefs, less for what agents and programs printed. */
  readonly kindWeight: number
  /** What a link from a better result adds to its score. */
  readonly linked?: number
  /** Its place before a reranker moved it, from 1. Absent if it was not moved. */
  readonly placeBefore?: number
}

/** A result that was found and not shown. */
export interface LeftOutResult {
  readonly id: string
  readonly key?: string
  readonly title: string
  readonly why: 'matches too little' | 'same text'
  /** The probability that it answers the question. */
  readonly probability: number
}

/** The stages of one ranking. Each contains the results that passed the stage before it. */
export interface Ranking {
  /** Everything that matches at all. */
  readonly answers: readonly JudgedItem[]
  readonly aboveFloor: readonly JudgedItem[]
  /** Without copies of others. */
  readonly shown: readonly JudgedItem[]
  /** Whether `shown` has everything that is no copy. */
  readonly isWhole: boolean
  /** In the order before a reranker. */
  readonly plain: readonly JudgedItem[]
  readonly results: readonly JudgedItem[]
}

const mostLeftOut = 5

export function explain(question: AskedText, corpus: CorpusStatistics, ranking: Ranking): Explanation {
  const forms = new Map(termsOf(question.text).map(({ stem, surface }) => [stem, surface]))
  const words = analyzeQuery(question.text, corpus).terms.map(({ stem, also }) => {
    const notes = [stem, ...also].reduce((sum, each) => sum + corpus.documentFrequency(each), 0)
    return { word: forms.get(stem) ?? withoutMark(stem), notes: Math.min(notes, corpus.documents) }
  })
  const { answers, aboveFloor, shown, isWhole, plain, results } = ranking
  const looked = isWhole
    ? aboveFloor
    : aboveFloor.slice(0, aboveFloor.findLastIndex((item) => shown.includes(item)) + 1)
  const copies = without(looked, shown)
  return {
    notes: corpus.documents,
    words,
    times: timeSpans(question.text, question.now, question.wallTime),
    prefersNewer: asksForLatest(question.text),
    results: results.map((result, i) => reasonsOf(result, { words, i, before: placeOf(result, plain) })),
    leftOut: [
      ...without(answers, aboveFloor).slice(0, mostLeftOut).map(leftOutFor('matches too little')),
      ...copies.slice(0, mostLeftOut).map(leftOutFor('same text')),
    ],
    more: aboveFloor.length - copies.length - results.length,
  }
}

/** A date is a term with a mark before it. */
function withoutMark(stem: string): string {
  return stem.replace(/^@-?/, '')
}

function reasonsOf(
  { item, matched }: JudgedItem,
  { words, i, before }: { readonly words: readonly CountedWord[]; readonly i: number; readonly before: number },
): ResultReasons {
  const where = words.map(({ word }, term) => ({
    word,
    near: matched.near[term] === 1,
    whole: matched.whole[term] === 1,
  }))
  const some = (isWanted: (each: (typeof where)[number]) => boolean) => where.filter(isWanted).map(({ word }) => word)
  return {
    id: item.id,
    inPassage: some(({ near }) => near),
    elsewhere: some(({ near, whole }) => whole && !near),
    absent: some(({ near, whole }) => !whole && !near),
    kindWeight: kindWeightOf(item),
    ...(item.linked === undefined ? {} : { linked: item.linked }),
    ...(before === i ? {} : { placeBefore: before + 1 }),
  }
}

/** The ids stay the same when a note is opened; the objects do not. */
function placeOf({ item: { id } }: JudgedItem, among: readonly JudgedItem[]): number {
  return among.findIndex(({ item }) => item.id === id)
}

function without(all: readonly JudgedItem[], kept: readonly JudgedItem[]): readonly JudgedItem[] {
  const ids = new Set(kept.map(({ item }) => item.id))
  return all.filter(({ item }) => !ids.has(item.id))
}

function leftOutFor(why: LeftOutResult['why']): (ranked: JudgedItem) => LeftOutResult {
  return ({ item: { id, key, title }, probability }) => ({
    id,
    ...(key === undefined ? {} : { key }),
    title,
    why,
    probability,
  })
}
