/** A key that plans with the same goal share: the goal without times and dates. */
export function goalKey(goal: string): string {
  const words = goal
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\b\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?z?)?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b/g, ' ')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  return `goal ${(words ?? []).join(' ')}`
}
