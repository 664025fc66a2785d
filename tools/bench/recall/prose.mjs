// @ts-check
/**
 * Notes of real words, as often as words are used: the word table lists them by frequency. Repeatable, and a question takes
 * its words from one note, so that there is something to find.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../run.mjs'
import { randomFrom } from '../../eval/recall/random-from.mjs'

const vocabulary = readWords().slice(0, 20_000)
const cumulative = vocabulary.reduce((/** @type {number[]} */ sums, _, i) => {
  sums.push((sums.at(-1) ?? 0) + 1 / (i + 3))
  return sums
}, [])

/** @typedef {{ readonly title: string, readonly text: string }} Page */

/** @param {number} seed */
export function proseFrom(seed) {
  const random = randomFrom(seed)
  const share = () => random.below(2 ** 31) / 2 ** 31
  const word = () => vocabulary[place(share() * (cumulative.at(-1) ?? 0))] ?? ''
  const sentence = (/** @type {number} */ words) => {
    const text = Array.from({ length: words }, word).join(' ')
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  }
  const rare = () => vocabulary[200 + random.below(vocabulary.length - 200)] ?? ''
  return {
    ...random,
    sentence,
    /** A title and four sentences. */
    note: () => ({
      title: `${rare()} ${rare()} ${word()} ${rare()}`,
      text: Array.from({ length: 4 }, () => sentence(8 + random.below(10))).join('\n'),
    }),
    /** A note of about this number of bytes about a few things: headings, paragraphs, lists. @param {number} bytes */
    page: (bytes) => {
      const topic = Array.from({ length: 8 }, rare)
      const said = (/** @type {number} */ words) =>
        sentence(words).replaceAll(/\b\p{L}{4,}\b/gu, (one) => (random.below(4) === 0 ? random.pick(topic) : one))
      const parts = []
      for (let length = 0; length < bytes; length += parts.at(-1)?.length ?? 0)
        parts.push(
          ...(parts.length % 4 === 3 ? [`## ${random.some(topic, 2).join(' ')}`] : []),
          random.below(4) === 0
            ? Array.from({ length: 4 }, () => `- ${said(6 + random.below(6))}`).join('\n')
            : Array.from({ length: 3 + random.below(3) }, () => said(8 + random.below(10))).join(' '),
        )
      return { title: `${random.some(topic, 3).join(' ')} ${word()}`, text: parts.join('\n\n').slice(0, bytes) }
    },
    /** As somebody asks who remembers how it was put. @param {{ readonly title: string, readonly text: string }} note */
    promptAbout: ({ title, text }) => {
      const words = random
        .pick(text.split(/[.\n]+/).filter((line) => line.split(' ').length >= 6))
        .trim()
        .split(' ')
      const from = random.below(words.length - 5)
      return `Where did we write about ${title.split(' ').slice(0, 2).join(' ')}: ${words.slice(from, from + 6).join(' ')}?`
    },
    /** @param {{ readonly title: string, readonly text: string }} note */
    questionAbout: ({ title, text }) => {
      const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
      return `what do we know about ${title.split(' ')[0]} and ${random.some(words, 4).join(' ')}?`
    },
  }
}

/** The same notes each time for the same size. @param {number} size */
export function notesOf(size) {
  const prose = proseFrom(size)
  return Array.from({ length: size }, prose.note)
}

/**
 * The same notes each time for the same number and length, five hundred in a directory.
 * @param {{ readonly notes: number, readonly bytes: number }} size
 */
export function pagesOf({ notes, bytes }) {
  const prose = proseFrom(notes + bytes)
  return Array.from({ length: notes }, (_, i) => ({
    id: `personal/area-${Math.floor(i / 500)}/note-${i + 1}.md`,
    ...prose.page(bytes),
  }))
}

/** Words of letters alone, the most frequent first. */
function readWords() {
  const bytes = readFileSync(path.join(root, 'packages/embedder-static/table/glove-6b-50k.table'))
  const headerLength = bytes.readUInt32LE(16)
  const { words, columns } = JSON.parse(bytes.toString('utf8', 20, 20 + headerLength))
  const text = bytes.toString('utf8', 20 + headerLength + words * 8 + words * columns)
  return text.split('\n').filter((word) => /^\p{L}{2,}$/u.test(word))
}

/** @param {number} at */
function place(at) {
  let [low, high] = [0, cumulative.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}
