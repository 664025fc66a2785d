// @ts-check
/** Our recall as it is installed: notes as files, indexed in a node store of their own, asked through `memory.recall`. */
import { tmpdir } from 'node:os'
import { openStaticEmbedder } from '../../../../packages/embedder-static/dist/index.js'
import { openNoteStore } from '../note-store.mjs'

// As deep as recall ranks without opening more files than for an answer of ten.
const depth = 40

/** @param {string} [scratch] @returns {import('../../recall.mjs').System} */
export function ours(scratch = tmpdir()) {
  return oursWith('ours', { make: openStaticEmbedder, scratch })
}

/**
 * @param {string} id
 * @param {{ make?: () => Promise<import('../note-store.mjs').MemoryEmbedder | undefined>, scratch: string }} options
 * @returns {import('../../recall.mjs').System}
 */
export function oursWith(id, { make, scratch }) {
  return {
    id,
    open: async ({ corpus }) => {
      const embedder = await make?.()
      const store = await openNoteStore(corpus, { scratch, ...(embedder === undefined ? {} : { embedder }) })
      // Asked as of the last note, so that "last March" means what it meant to whoever wrote.
      const at = Math.max(...corpus.map((note) => (note.at === undefined ? -Infinity : Date.parse(note.at))))
      const when = Number.isFinite(at) ? { at } : {}
      const rank = async (/** @type {string} */ text) => {
        // Without the floor: a ranking is measured whole. What the floor silences, `npm run eval -- floor` measures.
        const { results, freshness } = await store.memory.recall({ text, k: depth, floor: 'off', ...when })
        if (freshness.store !== 'current' || freshness.pendingVectors > 0)
          throw new Error(`recall saw only a part: ${JSON.stringify(freshness)}`)
        return results.map(({ key = '' }) => store.idOf(key) ?? key)
      }
      return { rank, close: store.close }
    },
  }
}
