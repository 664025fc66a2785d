/**
 * The answers to a question that asks for all of something: as many as are about as good as the first ones. The list ends where the
 * results become clearly worse, so a question with three answers is not answered with fifty.
 */
interface Judged {
  readonly score: number
  readonly probability: number
}

export const mostListed = 50

// How much worse than the middle of the first five a further result may be.
const leastShare = 0.75
const head = 5

/** `ranked` is best first. At least `usual` results stay. */
export function asManyAsGood<T extends Judged>(ranked: readonly T[], usual: number): readonly T[] {
  const first = ranked.slice(0, head)
  const least = {
    score: leastShare * middleOf(first, 'score'),
    probability: leastShare * middleOf(first, 'probability'),
  }
  const isWorse = ({ score, probability }: T) => score < least.score || probability < least.probability
  const worse = ranked.findIndex((each, i) => i >= usual && isWorse(each))
  return ranked.slice(0, Math.min(mostListed, worse === -1 ? ranked.length : worse))
}

function middleOf(some: readonly Judged[], name: keyof Judged): number {
  const sorted = some.map((each) => each[name]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
