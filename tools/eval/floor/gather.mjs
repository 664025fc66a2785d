// @ts-check
/** Asks a store everything once, without a floor, and keeps the evidence of the first results. What each floor shows is computed from it. */
import { tmpdir } from 'node:os'
import { openNoteStore } from '../recall/note-store.mjs'

/** @typedef {import('../../../packages/memory/dist/reader.js').RecallResult['evidence']} Evidence */
/** @typedef {{ readonly isGold: boolean, readonly evidence: Evidence, readonly probability: number }} Found */
/**
 * @typedef {object} Asked
 * @property {string} kind
 * @property {string} world
 * @property {'tuning' | 'kept'} half
 * @property {string} text
 * @property {boolean} isAnswered whether the store has an answer
 * @property {readonly Found[]} found best first
 */

const depth = 10

/**
 * @param {import('./worlds.mjs').World} world
 * @param {import('../../../packages/memory/dist/index.js').MemoryEmbedder | undefined} embedder
 * @returns {Promise<readonly Asked[]>}
 */
export async function gather(world, embedder) {
  const store = await openNoteStore(world.corpus, {
    scratch: tmpdir(),
    ...(embedder === undefined ? {} : { embedder }),
  })
  /** @type {Asked[]} */
  const gathered = []
  for (const [i, { text, gold, kind }] of world.asked.entries()) {
    const { results } = await store.memory.recall({ text, k: depth, floor: 'off' })
    const found = results.map(({ key = '', evidence, probability }) => {
      return { isGold: gold.includes(store.idOf(key) ?? ''), evidence, probability }
    })
    const half = world.half ?? (i % 2 === 0 ? 'tuning' : 'kept')
    gathered.push({ kind, world: world.name, half, text, isAnswered: gold.length > 0, found })
  }
  await store.close()
  return gathered
}
