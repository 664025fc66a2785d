/**
 * The order of `list`. A plain sort compares UTF-16 units and puts an emoji before U+FF5E. UTF-8 bytes and code points give the same order
 * in every language.
 */
export function byCodePoint(a: string, b: string): number {
  const left = Array.from(a)
  const right = Array.from(b)
  for (const [i, char] of left.entries()) {
    const other = right[i]
    if (other === undefined) return 1
    if (char !== other) return (char.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0)
  }
  return left.length - right.length
}
