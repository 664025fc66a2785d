/**
 * What speaks for a result being an answer to the question, in figures that mean the same in every store. The ranking orders results;
 * these figures say whether the best of them is any good.
 */
import type { MatchedTerms } from '../../ranking/pure/rank-lexical.ts'
import { type AskedWords, massOf, worthsOf } from './asked-words.ts'

/** The figures that a probability is computed from, each 0 to 1. Words count by how telling they are. */
export interface Evidence {
  /** How much of the few most telling words of the question one passage and its title contain. */
  readonly core: number
  /** How much they contain, whatever else the question says; 1 for five rare words. */
  readonly mass: number
  /** How telling the best word in them is. */
  readonly best: number
  /** How much of the sentence that they fit best they contain. It finds the question inside a long prompt. */
  readonly focus: number
  /** How many neighbours in the question are neighbours in the note; 1 for two rare pairs. */
  readonly pairs: number
  /** How much of the most telling words the whole note contains. */
  readonly whole: number
  /** How much of the note's title the question contains. */
  readonly title: number
  /** How much of the names in the question the note does not contain. */
  readonly strange: number
  /** The length of the question; 1 for 127 words and more. */
  readonly length: number
  /** 1 if it asks, instead of only giving an order. */
  readonly asks: number
  /** How well it fits the time that the question names. */
  readonly time: number
  /** The cosine; absent if there is no vector to compare. */
  readonly similarity: number | undefined
}

export interface Match {
  readonly matched: MatchedTerms
  /** The terms of the title: their places in the question, -1 for others. */
  readonly title: readonly number[]
  readonly time: number
  readonly similarity: number | undefined
}

const coreTerms = 4
const fullMass = 5
const fullPairs = 2
// An unknown word of a title counts as fairly rare.
const usualWorth = 0.7

/** The evidence for one result after another. What the question alone decides is computed once. */
export function evidenceFor(asked: AskedWords): (match: Match) => Evidence {
  const { worths, words, names } = asked
  const core = coreOf(worthsOf(asked, words))
  const named = sum(worthsOf(asked, names))
  const sentences = asked.sentences.map((own) => ({ words: own, core: coreOf(worthsOf(asked, own)) }))
  const length = Math.min(1, Math.log2(1 + worths.length) / 7)
  return ({ matched, title, time, similarity }) => {
    const mass = massOf(asked, words, matched.near)
    const share = portion(mass, core)
    return {
      core: share,
      mass: Math.min(1, mass / fullMass),
      best: worths.reduce((best, worth, i) => Math.max(best, worth * (matched.near[i] ?? 0)), 0),
      focus: sentences.reduce((best, own) => Math.max(best, fit(massOf(asked, own.words, matched.near), own.core)), 0),
      pairs: Math.min(1, pairsIn(asked, matched.pairs) / fullPairs),
      whole: portion(massOf(asked, words, matched.whole), core),
      title: title.length === 0 ? share / 2 : titleShare(asked, title),
      strange: portion(named - massOf(asked, names, matched.whole), core),
      length,
      asks: asked.isQuestion ? 1 : 0,
      time,
      similarity,
    }
  }
}

/** How much of a sentence is there, less for sentences of few telling words. */
function fit(mass: number, core: number): number {
  return Math.min(1, mass / (core + 0.3)) * Math.min(1, mass / 2)
}

/** The parts of one identifier are always neighbours, so they are no sign. */
function pairsIn({ worths, groups }: AskedWords, pairs: Uint8Array): number {
  return sum(worths.map((worth, i) => (pairs[i] === 1 && groups[i] !== groups[i + 1] ? worth : 0)))
}

function titleShare({ worths }: AskedWords, title: readonly number[]): number {
  const asked = sum(title.map((place) => worths[place] ?? 0))
  return portion(asked, sum(title.map((place) => worths[place] ?? usualWorth)))
}

function coreOf(worths: readonly number[]): number {
  return sum(worths.toSorted((a, b) => b - a).slice(0, coreTerms))
}

function portion(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole))
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}
