/** A text in pieces. Every second piece is a word that was searched for. */
export function foundWords(text: string, search: string): readonly string[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return [text]
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return text.split(new RegExp(`(${escaped.join('|')})`, 'gi'))
}
