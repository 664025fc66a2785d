/** A text as one word of a command, whatever is in it. Line ends become spaces, because nobody pastes them safely. */
export function shellWord(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (/^[\w@%+=:,./-]+$/.test(line) && !line.startsWith('-')) return line
  return `'${line.replaceAll("'", String.raw`'\''`)}'`
}
