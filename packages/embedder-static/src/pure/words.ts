/**
 * Text as lower-case words of letters, or of digits. Scripts written without spaces come as whole runs; `features` cuts
 * those into characters and pairs. An identifier is one word that knows its parts: `readUserName` → read, user, name.
 */
export interface Word {
  readonly text: string
  readonly parts: readonly string[]
  readonly isUnspaced: boolean
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'
const pattern = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{M}])+|\\p{N}+`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')
const hump = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

export function wordsOf(text: string): Word[] {
  return (text.normalize('NFKC').match(pattern) ?? []).map(toWord)
}

function toWord(raw: string): Word {
  const text = raw.toLowerCase()
  const parts = text === raw || !hump.test(raw) ? [] : raw.split(hump).map((part) => part.toLowerCase())
  return { text, parts, isUnspaced: isUnspaced.test(raw) }
}

/** Without accents, so that "café" and "cafe" meet. Vowel signs of other scripts are not accents and stay. */
export function withoutAccents(word: string): string {
  return isAscii(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
}

function isAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 127) return false
  return true
}
