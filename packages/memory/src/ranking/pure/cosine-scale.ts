/**
 * Brings the cosines of one question to a common scale. One good embedder answers .70 for anything and .85 for the right note, another
 * one .05 and .60. Both say the same, so only where a cosine stands among the others of its question counts.
 */

/** From a cosine to 0…1: 1 for the nearest of the question, 0 for what is no nearer than usual. */
export type CosineScale = (cosine: number) => number

/** `cosines` are those of all candidates of one question. Without two that differ, nothing stands out and all are 0. */
export function cosineScale(cosines: readonly number[]): CosineScale {
  const sorted = cosines.toSorted((a, b) => a - b)
  const usual = sorted[Math.floor(sorted.length * usualAt)] ?? 0
  const range = (sorted.at(-1) ?? 0) - usual
  if (range < leastRange) return () => 0
  return (cosine) => Math.min(1, Math.max(0, (cosine - usual) / range))
}

const usualAt = 0.5
// Below it, differences are rounding.
const leastRange = 1e-4
