/** The similarity of two texts by their words, 0 to 1. It is used if there is no embedder. */
import { termsOf } from '@agentm/memory/ranking'

export function stemsOf(text: string): ReadonlySet<string> {
  return new Set(termsOf(text).map(({ stem }) => stem))
}

export function wordLikeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  const common = [...a].filter((stem) => b.has(stem)).length
  return common / Math.sqrt(a.size * b.size)
}
