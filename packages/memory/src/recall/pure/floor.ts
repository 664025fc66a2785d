/**
 * Whether any result answers the question at all. A ranking always has a first result, even if it only shares a word with the
 * question. The limits were measured with `npm run eval -- floor`, on questions with and without an answer.
 */
import { isCalibrated, thresholdsOf } from '../../ranking/pure/calibration.ts'

/** `mild`: shows nothing if no result looks like an answer. `strict`: shows only results that match well on their own. */
export type Floor = 'off' | 'mild' | 'strict'

/** The limits, from none to strict. */
export const floors = ['off', 'mild', 'strict'] as const

export interface Evidence {
  /** How much of the question appears close together in it, 0 to 1. */
  readonly together: number
  /** The cosine; absent if there is no vector to compare. */
  readonly similarity: number | undefined
  /** How well it fits the time that the question names, 0 to 1. */
  readonly time: number
}

const least = { mild: 0.26, strict: 0.39 } as const
const leastWords = { mild: 0.29, strict: 0.39 } as const
// Words have weight 1. If a vector is absent, its weight goes to the words, as in the ranking.
const meaning = 0.5
// How many results are checked. An answer may follow a few results with more of the question's words, but not many.
const looked = 10

/** The results to show, best first. `embedder` is the one that made the cosines. */
export function aboveFloor<T>(
  ranked: readonly T[],
  evidenceOf: (found: T) => Evidence,
  { floor, embedder }: { readonly floor: Floor; readonly embedder: string | undefined },
): readonly T[] {
  if (floor === 'off') return ranked
  const reaches = (found: T) => isEnough(evidenceOf(found), floor, embedder)
  if (floor === 'strict') return ranked.filter(reaches)
  return ranked.slice(0, looked).some(reaches) ? ranked : []
}

function isEnough(
  { together, similarity, time }: Evidence,
  floor: 'mild' | 'strict',
  embedder: string | undefined,
): boolean {
  const enough = least[floor]
  if (time > 0.5 || together >= enough * (1 + meaning)) return true
  if (similarity === undefined || embedder === undefined) return together >= leastWords[floor]
  if (isCalibrated(embedder)) return together + meaning * similarity >= enough * (1 + meaning)
  // A medium cosine of this embedder is not reliable, so only a high one counts.
  return together >= leastWords[floor] || similarity >= thresholdsOf(embedder).cluster
}
