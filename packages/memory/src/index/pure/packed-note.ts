/**
 * The terms of a note as bytes: how many there are, then the codes, then where each passage begins, ends, and has its last term. The level of a
 * heading shares a word with where it begins.
 */
import type { AnalyzedNote } from '../../ranking/pure/rank-lexical.ts'

const headLength = 3
// No text that recall reads is longer.
const startBits = 28

export function packNote({ terms, titleLength, passages }: AnalyzedNote): Uint8Array {
  const words = new Uint32Array(headLength + terms.length + 3 * passages.length)
  words.set([terms.length, titleLength, passages.length])
  words.set(terms, headLength)
  let at = headLength + terms.length
  for (const { start, end, termsEnd, level } of passages) {
    words.set([start + level * 2 ** startBits, end, termsEnd], at)
    at += 3
  }
  return new Uint8Array(words.buffer)
}

export function unpackNote(bytes: Uint8Array): AnalyzedNote {
  const words = wordsIn(bytes)
  const [length = 0, titleLength = 0, count = 0] = words
  const last = headLength + length
  const passages = Array.from({ length: count }, (_, i) => {
    const [begin = 0, end = 0, termsEnd = 0] = words.subarray(last + 3 * i, last + 3 * i + 3)
    return { start: begin % 2 ** startBits, end, termsEnd, level: begin >>> startBits }
  })
  return { length, terms: words.subarray(headLength, last), titleLength, passages }
}

/** The codes of its terms alone. */
export function packedTerms(bytes: Uint8Array): Uint32Array {
  const words = wordsIn(bytes)
  return words.subarray(headLength, headLength + (words[0] ?? 0))
}

/** Bytes that begin at any address cannot be read as words where they are. */
export function wordsIn(bytes: Uint8Array): Uint32Array {
  const whole = bytes.byteLength - (bytes.byteLength % 4)
  if (bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, whole / 4)
  return new Uint32Array(bytes.slice(0, whole).buffer)
}
