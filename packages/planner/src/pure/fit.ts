/** How well two texts fit each other, from 0 to 1: by their vectors, or by their words without vectors. */
import { termsOf } from '@agentm/memory/ranking'

/** The cosine. A vector that is absent or invalid counts as no fit. */
export function vectorFit(a: ArrayLike<number> | undefined, b: ArrayLike<number> | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) return 0
  let [dot, left, right] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    dot += x * y
    left += x * x
    right += y * y
  }
  const cosine = dot / Math.sqrt(left * right)
  return Number.isFinite(cosine) ? Math.min(Math.max(cosine, 0), 1) : 0
}

/** The name thresholds of word fit are kept under. */
export const lexicalName = 'lexical'

/** The cosine of how often each word occurs; forms of one word are the same word. */
export function lexicalFit(a: string, b: string): number {
  const [left, right] = [countsOf(a), countsOf(b)]
  let dot = 0
  for (const [stem, count] of left) dot += count * (right.get(stem) ?? 0)
  const size = Math.sqrt(squares(left) * squares(right))
  return size === 0 ? 0 : Math.min(dot / size, 1)
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { stem } of termsOf(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

function squares(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return sum
}
