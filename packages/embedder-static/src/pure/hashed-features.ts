/**
 * Words and character n-grams, hashed with a sign into a few dimensions: what places a word no table knows, a name, an
 * identifier, a typing error or another script, near its look-alikes.
 */
import { hashText } from './feature-hash.ts'

const kinds = { word: 1, gram: 2 } as const
const gramLengths = [4, 5]
// Long tokens are encoded data; their first letters identify them well enough.
const longestGrammed = 64

/** Adds one word; its n-grams together count as much as the word itself, whatever its length. */
export function addWord(into: Float64Array, word: string, weight: number): void {
  add(into, hashText(kinds.word, word), weight)
  const framed = `<${word.slice(0, longestGrammed)}>`
  const count = gramLengths.reduce((sum, length) => sum + Math.max(0, framed.length - length + 1), 0)
  const each = weight / Math.sqrt(count)
  for (const length of gramLengths) {
    for (let i = 0; i + length <= framed.length; i++) add(into, hashText(kinds.gram, framed, i, i + length), each)
  }
}

/** Adds a run of a script without spaces as its characters and pairs, the unit of meaning there. */
export function addRun(into: Float64Array, run: string, weight: number): void {
  const characters = Array.from(run)
  for (const [i, character] of characters.entries()) {
    add(into, hashText(kinds.word, character), weight / 2)
    const next = characters[i + 1]
    if (next !== undefined) add(into, hashText(kinds.word, character + next), weight)
  }
}

function add(into: Float64Array, hash: number, weight: number): void {
  const at = (hash & 0x7fffffff) % into.length
  into[at] = (into[at] ?? 0) + (hash >>> 31 === 0 ? weight : -weight)
}
