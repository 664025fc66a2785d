/** Cuts a text to the limit without splitting a character, and says so in the text. */
export function cutText(text: string, limit: number): string {
  if (limit <= 0 || text.length <= limit) return text
  const characters = Array.from(text)
  if (characters.length <= limit) return text
  const kept = characters.slice(0, limit).join('')
  return `${kept}\n[cut: ${limit} of ${characters.length} characters shown]`
}
