/** A sentence with one of its words left out, once for each word that carries meaning, with the word that was left out. */
import { termsOf } from '@agentm/memory/ranking'

export interface Frame {
  /** Hashes instead of texts, because many are compared. */
  readonly frame: number
  readonly filler: number
}

const mostWords = 25

export function framesOf(sentence: string): readonly Frame[] {
  const words = sentence
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}_./@-]+/u)
    .map((word) => word.replace(/[.]+$/, ''))
    .filter((word) => word !== '')
  if (words.length > mostWords) return []
  return [...words.keys()].flatMap((left) => {
    const word = words[left] ?? ''
    if (termsOf(word).length === 0) return []
    return [{ frame: hashed(words.map((each, i) => (i === left ? '*' : each)).join(' ')), filler: hashed(word) }]
  })
}

/** FNV-1a. If two sentences happen to share a hash, the only cost is a lost confirmation. */
function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
