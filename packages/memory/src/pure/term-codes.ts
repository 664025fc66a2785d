/**
 * The distinct terms of a note in a few bytes each, so that how rare a word is can be counted over every note at every
 * question without reading any. Four characters per term; two terms share one in 16 million.
 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
export const codeLength = 4

export function termCode(stem: string): string {
  // FNV-1a over UTF-16 units, folded to 24 bits.
  let hash = 0x811c9dc5
  for (let i = 0; i < stem.length; i++) hash = Math.imul(hash ^ stem.charCodeAt(i), 0x01000193)
  const folded = ((hash >>> 24) ^ hash) & 0xffffff
  return [18, 12, 6, 0].map((shift) => alphabet[(folded >> shift) & 63]).join('')
}

export function termCodes(stems: Iterable<string>): string {
  return [...new Set(Array.from(new Set(stems), termCode))].join('')
}

export function hasTerm(codes: string, code: string): boolean {
  for (let at = codes.indexOf(code); at !== -1; at = codes.indexOf(code, at + 1)) if (at % codeLength === 0) return true
  return false
}
