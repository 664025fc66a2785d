/** The largest of each weight that may apply to a node in scope. Bounds are computed with it. */
import type { RecallWeights } from './recall-score.ts'

/** The largest of each weight that may apply to a node in scope. */
export function heaviest(weights: readonly RecallWeights[]): RecallWeights {
  return {
    wSem: Math.max(0, ...weights.map(({ wSem }) => wSem)),
    wLex: Math.max(0, ...weights.map(({ wLex }) => wLex)),
    wRec: Math.max(0, ...weights.map(({ wRec }) => wRec)),
    halfLife: Math.max(1, ...weights.map(({ halfLife }) => halfLife)),
  }
}
