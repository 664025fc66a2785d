/** How alike two texts are by their words alone, 0 to 1: what is left where nothing makes vectors. */
import { termsOf } from '@agentm/memory/ranking'

export function stemsOf(text: string): ReadonlySet<string> {
  return new Set(termsOf(text).map(({ stem }) => stem))
}

export function wordLikeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  const common = [...a].filter((stem) => b.has(stem)).length
  return common / Math.sqrt(a.size * b.size)
}
