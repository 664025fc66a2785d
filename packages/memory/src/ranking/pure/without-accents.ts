/** Letters without their accents, so that "Zürich" and "Zurich" are one word. */
const isAscii = /^\p{ASCII}*$/u
// Letters that Unicode does not split into a letter and an accent.
const whole: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ı', 'i'],
])

/** `word` is in lower case. */
export function withoutAccents(word: string): string {
  if (isAscii.test(word)) return word
  return word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßøłđðþæœı]/g, (letter) => whole.get(letter) ?? letter)
    .normalize('NFC')
}
