/**
 * How far a mean over questions can be trusted. Both functions repeat their draws from a fixed seed, so the same values always give
 * the same answer.
 */

export interface Interval {
  readonly low: number
  readonly high: number
}

const draws = 2000

/** The 95 % confidence interval of the mean: a bootstrap over the questions. */
export function intervalOf(values: readonly number[]): Interval {
  const { length } = values
  if (length === 0) return { low: 0, high: 0 }
  const below = drawFrom(length)
  const means = Float64Array.from({ length: draws }, () => {
    let sum = 0
    for (let i = 0; i < length; i++) sum += values[below(length)] ?? 0
    return sum / length
  }).toSorted()
  return { low: means[Math.floor(draws * 0.025)] ?? 0, high: means[Math.ceil(draws * 0.975) - 1] ?? 0 }
}

/**
 * The probability of a difference at least this large if both searches were equally good: the sign of each question's difference is
 * drawn at random. Below 0.05, the difference is usually called significant.
 */
export function chanceOf(differences: readonly number[]): number {
  const real = differences.filter((difference) => difference !== 0)
  if (real.length === 0) return 1
  const seen = Math.abs(real.reduce((sum, difference) => sum + difference, 0))
  const below = drawFrom(real.length)
  let reached = 0
  for (let draw = 0; draw < draws * 5; draw++) {
    let sum = 0
    for (const difference of real) sum += below(2) === 0 ? difference : -difference
    // Sums of the same fractions in another order differ in their last digits.
    if (Math.abs(sum) >= seen - 1e-9) reached += 1
  }
  return (reached + 1) / (draws * 5 + 1)
}

/** A whole number below a limit, from a sequence that the seed decides. */
function drawFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return Math.floor((((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32) * limit)
  }
}
