// @ts-check
/** BM25 over whole notes with our own tokenizer: what recall would be without re-ranking. */
import { termsOf } from '../../../../packages/memory/dist/ranking.js'

const [k1, b] = [1.2, 0.75]

/** @type {import('../../recall.mjs').System} */
export const bm25 = {
  id: 'bm25',
  open: async ({ corpus }) => {
    const lengths = corpus.map((note) => stemsOf(`${note.title}\n${note.text}`).length)
    const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
    const postings = postingsOf(corpus)
    const rank = (/** @type {string} */ question) => {
      /** @type {Map<number, number>} */
      const scores = new Map()
      for (const stem of new Set(stemsOf(question))) {
        const found = postings.get(stem) ?? new Map()
        const rarity = Math.log(1 + (corpus.length - found.size + 0.5) / (found.size + 0.5))
        for (const [i, times] of found) {
          const length = (lengths[i] ?? 0) / average
          const gain = (rarity * times * (k1 + 1)) / (times + k1 * (1 - b + b * length))
          scores.set(i, (scores.get(i) ?? 0) + gain)
        }
      }
      return [...scores].toSorted(([i, x], [j, y]) => y - x || i - j).map(([i]) => corpus[i]?.id ?? '')
    }
    return { rank, close: () => {} }
  },
}

/** @param {import('../../../../packages/cli/dist/eval/labelled-set.js').LabelledSet['corpus']} corpus */
function postingsOf(corpus) {
  /** @type {Map<string, Map<number, number>>} */
  const postings = new Map()
  for (const [i, note] of corpus.entries()) {
    for (const stem of stemsOf(`${note.title}\n${note.text}`)) {
      const own = postings.get(stem) ?? new Map()
      postings.set(stem, own.set(i, (own.get(i) ?? 0) + 1))
    }
  }
  return postings
}

/** @param {string} text */
function stemsOf(text) {
  return termsOf(text).map(({ stem }) => stem)
}
