// @ts-check
/**
 * The questions about the hundred paraphrased notes, asked in the notes' own words, with two typing errors in the longest word: letters in the
 * wrong order, one missing, one doubled, a wrong vowel.
 */
import { paraphrasedNotes } from './paraphrased-set.mjs'
import { generatedSet } from './generated-set.mjs'
import { randomFrom } from './random-from.mjs'

const shortest = 8
const vowels = ['a', 'e', 'i', 'o', 'u']

/** @param {number} seed @returns {import('../recall.mjs').LabelledSet} */
export function mistypedSet(seed) {
  const random = randomFrom(seed)
  const notes = paraphrasedNotes()
  const corpus = notes.map(({ title, text }, i) => ({ id: `p${i}`, title, text, at: '2024-06-01T09:00:00.000Z' }))
  const queries = notes.flatMap(({ title, text }, i) => {
    const long = [...new Set(`${title} ${text}`.match(/(?<![\p{L}\p{N}_./-])[a-z]{8,}(?![\p{L}\p{N}_/-])/gu))]
    return random.some(long, Math.min(3, long.length)).flatMap((word, j) => {
      const gold = notes.flatMap((note, n) => (`${note.title} ${note.text}`.includes(word) ? [`p${n}`] : []))
      return ['a', 'b'].map((time) => ({
        id: `p${i}-${j}${time}`,
        text: `what did we write about ${mistyped(random, word)}?`,
        gold,
        kind: 'two errors',
      }))
    })
  })
  return { name: `mistyped, seed ${seed}`, corpus: [...corpus, ...generatedSet(seed).corpus], queries }
}

/** One error in each half of a word. The first letter stays. @param {ReturnType<typeof randomFrom>} random @param {string} word */
function mistyped(random, word) {
  if (word.length < shortest) throw new TypeError(`${word} is short`)
  const middle = Math.floor(word.length / 2)
  return `${word.charAt(0)}${withError(random, word.slice(1, middle))}${withError(random, word.slice(middle))}`
}

/** @param {ReturnType<typeof randomFrom>} random @param {string} part */
function withError(random, part) {
  const at = random.below(part.length - 1)
  const [before, one, two, after] = [part.slice(0, at), part.charAt(at), part.charAt(at + 1), part.slice(at + 2)]
  const letter = random.pick(vowels.filter((vowel) => vowel !== one))
  const changed = random.pick([
    ...(one === two ? [] : [`${two}${one}`]),
    two,
    `${one}${one}${two}`,
    ...(vowels.includes(one) ? [`${letter}${two}`] : []),
  ])
  return `${before}${changed}${after}`
}
