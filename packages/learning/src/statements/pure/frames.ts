/** A sentence with one of its words left out, once for each word that carries meaning, and what stood there. */
import { termsOf } from '@agentm/memory/ranking'

export interface Frame {
  /** Numbers instead of texts: they are only compared, and there are many. */
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

/** FNV-1a: two sentences with one number would be a coincidence, and cost one of them a confirmation. */
function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
