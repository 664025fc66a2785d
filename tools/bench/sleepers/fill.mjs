// @ts-check
/** Writes sleeping functions as workers leave them, with all versions of their history. */
import { recordedNap } from './recorded-nap.mjs'

/** @typedef {import('./recorded-nap.mjs').Sleeper} Sleeper */

export const owner = 'ada'
/** So many functions are written in one append. */
const atOnce = 2000

/**
 * @param {import('@agentm/nodes').NodeStore} store
 * @param {Iterable<Sleeper>} sleepers
 * @returns {Promise<{ readonly versions: number, readonly seconds: number }>}
 */
export async function fill(store, sleepers) {
  const draftsOf = await recordedNap()
  const began = performance.now()
  let versions = 0
  /** @type {import('@agentm/nodes').Draft[]} */
  let drafts = []
  const write = async () => {
    await store.log.append(drafts, { owner, actor: 'bench', partition: 'naps', durability: 'normal' })
    versions += drafts.length
    drafts = []
  }
  let count = 0
  for (const sleeper of sleepers) {
    drafts.push(...draftsOf(sleeper))
    count += 1
    if (count % atOnce === 0) await write()
  }
  if (drafts.length > 0) await write()
  return { versions, seconds: (performance.now() - began) / 1000 }
}
