/** The word somebody meant who mistyped it: the one that fewest changes of a letter lead to, where those are few. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const most = Math.min(2, Math.floor(typed.replace(/^-+/, '').length / 3))
  const [best] = [...new Set(words)]
    .map((word) => ({ word, changes: changesBetween(typed, word) }))
    .filter(({ changes }) => changes <= most)
    .toSorted((a, b) => a.changes - b.changes)
  return best?.word
}

/** Letters put in, left out, or in place of another; two that changed places count as one. */
function changesBetween(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const kept = (last[j - 1] ?? 0) + (isSame ? 0 : 1)
      const least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, kept)
      row.push(isSwapped ? Math.min(least, (before[j - 2] ?? 0) + 1) : least)
    }
    ;[before, last] = [last, row]
  }
  return last[b.length] ?? 0
}
