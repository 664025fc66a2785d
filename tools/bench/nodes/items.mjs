// @ts-check
/** What is written into every store: nodes with a text and a vector, for one owner. */
import { embedder } from './data.mjs'

export const ada = { owner: 'ada', actor: 'bench', partition: 'bench' }
export const concept = 'v1:sample:observation'

/** @typedef {{ readonly id: string, readonly content: string, readonly vector: Float32Array }} Item */

/** @param {ReturnType<typeof import('./data.mjs').generator>} from @param {string} prefix @param {number} count @returns {Item[]} */
export function items(from, prefix, count) {
  return Array.from({ length: count }, (_, i) => ({
    id: `${prefix}${i}`,
    content: from.text(24),
    vector: from.vector(),
  }))
}

/** @param {Item} item */
export function draftOf({ id, content, vector }) {
  return { concept, id, payload: { content }, mutation: 'recordBench', vector: { embedder, values: vector } }
}
