/**
 * Whether anything that was found answers at all. A ranking always has a first; asked for what is not there, it would show
 * whatever shares a word. How much it takes was measured by `npm run eval -- floor`, on questions with an answer and without.
 */
import { isCalibrated, thresholdsOf } from '../../ranking/pure/calibration.ts'

/** `mild`: nothing is shown where none looks like an answer. `strict`: only a result that matches well on its own. */
export type Floor = 'off' | 'mild' | 'strict'

/** How relevant a result has to be at least, from not at all to strict. */
export const floors = ['off', 'mild', 'strict'] as const

export interface Evidence {
  /** 0 to 1: what of the question stands close together in it. */
  readonly together: number
  /** Cosine; absent where there is no vector to compare. */
  readonly similarity: number | undefined
  /** 0 to 1: how well it fits the time the question names. */
  readonly time: number
}

const least = { mild: 0.26, strict: 0.39 } as const
const leastWords = { mild: 0.29, strict: 0.39 } as const
// Beside 1 for words. Where a vector is absent, its weight goes to the words, as in the ranking.
const meaning = 0.5
// An answer may stand behind a few that hold more of the question's words, and not behind many.
const looked = 10

/** What of it, best first, is shown. `embedder`: who made the cosines. */
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
  // A medium cosine of this embedder means nothing reliable, so only a high one counts.
  return together >= leastWords[floor] || similarity >= thresholdsOf(embedder).cluster
}
