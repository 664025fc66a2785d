/**
 * Whether a result answers the question at all. A ranking always has a first result, even if it only shares a word with the question.
 * Each result gets a probability, and below a limit nothing is shown. The weights were fitted with `npm run eval -- floor --fit`.
 */
import { thresholdsOf } from '../../ranking/pure/calibration.ts'
import type { Evidence } from './answer-evidence.ts'
import { figures, weights } from './floor-weights.ts'
import type { Group } from './rank-found.ts'

/** `mild`: shows nothing if no result looks like an answer. `strict`: shows only results that match well on their own. */
export type Floor = 'off' | 'mild' | 'strict'

/** The limits, from none to strict. */
export const floors = ['off', 'mild', 'strict'] as const

/** The lowest probability of an answer, for each limit. */
export const leastProbability = { off: 0, mild: 0.12, strict: 0.63 } as const

// How many results are checked. An answer may follow a few results with more of the question's words, but not many.
const looked = 10

/** The results to show, best first. */
export function aboveFloor<T extends { readonly probability: number }>(
  ranked: readonly T[],
  floor: Floor,
): readonly T[] {
  if (floor === 'off') return ranked
  const reaches = ({ probability }: T) => probability >= leastProbability[floor]
  if (floor === 'strict') return ranked.filter(reaches)
  return ranked.slice(0, looked).some(reaches) ? ranked : []
}

/** The embedder that made the cosines. */
export interface JudgedEmbedder {
  readonly name: string
  /** From which cosine a note may answer without any common word, if it was measured. */
  readonly near?: number | undefined
}

/** The probability that a result with this evidence answers the question. `embedder` is the one that made the cosine. */
export function probabilityOf(evidence: Evidence, embedder: JudgedEmbedder | undefined, group: Group): number {
  const { similarity, time } = evidence
  const odds = figures.reduce((sum, name) => sum + weights[name] * evidence[name], weights.base)
  const probability = 1 / (1 + Math.exp(-odds - oddsOf[group]))
  // A medium cosine says little, and says something else with each embedder.
  const isNear = embedder !== undefined && similarity !== undefined && similarity >= nearOf(embedder)
  return time > 0.5 || isNear ? Math.max(probability, likely) : probability
}

function nearOf({ near, name }: JudgedEmbedder): number {
  return near ?? thresholdsOf(name).cluster
}

// Evidence enough without common words.
const likely = 0.65

/** Tool output repeats the words of its request without answering it. */
const oddsOf: Readonly<Record<Group, number>> = { kept: 0, said: -0.2, printed: -1.5 }
