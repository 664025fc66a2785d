// @ts-check
/** What `grep -ic` for each word would tell: notes that contain most of the words, then most often. */
import { noteText } from '../note-text.mjs'

/** @type {import('../../recall.mjs').System} */
export const grep = {
  id: 'grep',
  open: async ({ corpus }) => {
    const texts = corpus.map((note) => ({ id: note.id, text: noteText(note).toLowerCase() }))
    const rank = (/** @type {string} */ question) => {
      const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
      return texts
        .map(({ id, text }) => {
          const counts = words.map((word) => text.split(word).length - 1)
          return { id, distinct: counts.filter((count) => count > 0).length, all: counts.reduce((a, b) => a + b, 0) }
        })
        .filter(({ distinct }) => distinct > 0)
        .toSorted((a, b) => b.distinct - a.distinct || b.all - a.all)
        .map(({ id }) => id)
    }
    return { rank, close: () => {} }
  },
}
