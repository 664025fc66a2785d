/**
 * The distinct terms of a note, in four characters each. With them, the rarity of a word is counted over all notes for every
 * question without opening a note. Two given terms share a code with a chance of 1 in 16 million.
 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
export const codeLength = 4

const digits = new Uint8Array(128)
for (const [i, character] of Array.from(alphabet).entries()) digits[character.charCodeAt(0)] = i

/** 24 bits. */
export function termNumber(stem: string): number {
  // FNV-1a over UTF-16 units.
  let hash = 0x811c9dc5
  for (let i = 0; i < stem.length; i++) hash = Math.imul(hash ^ stem.charCodeAt(i), 0x01000193)
  return ((hash >>> 24) ^ hash) & 0xffffff
}

export function termCode(stem: string): string {
  const number = termNumber(stem)
  return [18, 12, 6, 0].map((shift) => alphabet[(number >> shift) & 63]).join('')
}

export function termCodes(stems: Iterable<string>): string {
  return [...new Set(Array.from(new Set(stems), termCode))].join('')
}

/** The `termNumber` of each term. */
export function codesIn(codes: string): Uint32Array {
  const numbers = new Uint32Array(codes.length / codeLength)
  const digit = (at: number) => digits[codes.charCodeAt(at)] ?? 0
  for (let i = 0; i < numbers.length; i++) {
    const at = i * codeLength
    numbers[i] = (digit(at) << 18) | (digit(at + 1) << 12) | (digit(at + 2) << 6) | digit(at + 3)
  }
  return numbers
}

export function hasTerm(codes: string, code: string): boolean {
  for (let at = codes.indexOf(code); at !== -1; at = codes.indexOf(code, at + 1)) if (at % codeLength === 0) return true
  return false
}
