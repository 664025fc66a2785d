/** Which weight of meaning suits an embedder, from the scores of the same questions with each weight. */

export interface WeightScores {
  readonly weight: number
  /** One score per question, in the same order for every weight. */
  readonly scores: readonly number[]
}

export interface ChosenWeight {
  readonly weight: number
  /** What the odd questions choose, for the even ones; and what the even ones choose, for the odd ones. */
  readonly halves: readonly [number, number]
}

/** Of the weights that are as good as the best within chance, the one nearest to `usual`. */
export function chooseWeight(measured: readonly WeightScores[], usual: number): ChosenWeight {
  const all = Array.from(measured[0]?.scores ?? [], (_, i) => i)
  const half = (parity: number) => all.filter((i) => i % 2 === parity)
  return {
    weight: chosenFrom(measured, all, usual),
    halves: [chosenFrom(measured, half(1), usual), chosenFrom(measured, half(0), usual)],
  }
}

function chosenFrom(measured: readonly WeightScores[], questions: readonly number[], usual: number): number {
  const sumOf = ({ scores }: WeightScores) => questions.reduce((sum, i) => sum + (scores[i] ?? 0), 0)
  const [best] = measured.toSorted((a, b) => sumOf(b) - sumOf(a))
  if (best === undefined) return usual
  const good = measured.filter((each) => isWithinChance(best, each, questions))
  const [nearest = best] = good.toSorted((a, b) => Math.abs(a.weight - usual) - Math.abs(b.weight - usual))
  return nearest.weight
}

/** Whether the mean of the differences is at most one standard error. */
function isWithinChance(best: WeightScores, other: WeightScores, questions: readonly number[]): boolean {
  const differences = questions.map((i) => (best.scores[i] ?? 0) - (other.scores[i] ?? 0))
  const count = Math.max(1, differences.length)
  const mean = differences.reduce((sum, each) => sum + each, 0) / count
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, count - 1)
  return mean <= Math.sqrt(variance / count)
}

const quiet = 0.95

/**
 * The cosine that the nearest wrong note does not reach for 95 of 100 questions. A note above it may be shown even if it has no word of the
 * question. Rounded up, so that it still holds.
 */
export function nearFrom(wrong: readonly number[]): number {
  const sorted = wrong.toSorted((a, b) => a - b)
  const found = sorted[Math.ceil(sorted.length * quiet) - 1] ?? 1
  return Math.min(1, Math.ceil(found * 1000 + 1e-9) / 1000)
}
