// @ts-check
/** MiniSearch with its defaults over title and text. */
import { loadPeer } from '../peer.mjs'

/** @type {import('../../recall.mjs').System} */
export const minisearch = {
  id: 'minisearch',
  open: async ({ corpus }) => {
    const { default: MiniSearch } = await loadPeer('minisearch')
    const index = new MiniSearch({ fields: ['title', 'text'] })
    index.addAll(corpus.map(({ id, title, text }) => ({ id, title, text })))
    const rank = (/** @type {string} */ question) => {
      const hits = /** @type {{ id: string }[]} */ (index.search(question))
      return hits.map(({ id }) => id)
    }
    return { rank, close: () => {} }
  },
}
