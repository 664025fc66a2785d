/**
 * Finds the tokens of a text: words, runs of a script without spaces, and words that are joined without a space, such as
 * `snake_case`, `index.ts`, `2025-03-12` and `--dry-run`. What a token means is decided by its reader.
 */
import { characterClass, classify, classOfUnit } from './character-class.ts'

const { word, unspaced, joint, apostrophe, surrogate } = characterClass
const dash = 45

/** Calls `take` with the bounds of each token. Equal tokens have equal hashes. */
export function scanTokens(text: string, take: (start: number, end: number, hash: number) => void): void {
  const { length } = text
  let at = 0
  while (at < length) {
    const found = classAt(text, at)
    if (found !== word && found !== unspaced) {
      at += 1
      continue
    }
    // A flag keeps its two dashes, because they show that it is a name.
    const start = text.charCodeAt(at - 1) === dash && text.charCodeAt(at - 2) === dash ? at - 2 : at
    const end = found === unspaced ? endOfRun(text, at) : endOfToken(text, at)
    take(start, end, hashOf(text, start, end))
    at = end
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

function endOfRun(text: string, from: number): number {
  let at = from
  while (at < text.length && classAt(text, at) === unspaced) at += widthAt(text, at)
  return at
}

function endOfToken(text: string, from: number): number {
  let at = endOfWord(text, from)
  for (;;) {
    const found = classOfUnit(text.charCodeAt(at))
    // Two joints in a row end a token, except for "::".
    const width = found === joint ? (text.charCodeAt(at) === 58 && text.charCodeAt(at + 1) === 58 ? 2 : 1) : 0
    if (found === apostrophe || width > 0) {
      const next = at + Math.max(1, width)
      if (next >= text.length || classAt(text, next) !== word) return at
      at = endOfWord(text, next)
    } else return at
  }
}

function endOfWord(text: string, from: number): number {
  const { length } = text
  let at = from
  while (at < length) {
    const found = classOfUnit(text.charCodeAt(at))
    if (found === word) at += 1
    else if (found === surrogate && classAt(text, at) === word) at += widthAt(text, at)
    else return at
  }
  return at
}

function classAt(text: string, at: number): number {
  const found = classOfUnit(text.charCodeAt(at))
  return found === surrogate ? classify(String.fromCodePoint(text.codePointAt(at) ?? 0)) : found
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
