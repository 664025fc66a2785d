// @ts-check
/** One million nodes: the append rate on the way, recall at the end, the space, and whether claims got slower. */
import { median } from '../frame.mjs'
import { embedder, generator } from './data.mjs'
import { ada, draftOf, items } from './items.mjs'
import { addReadySteps, claimOne } from './steps.mjs'

/**
 * @typedef {object} Opened
 * @property {import('@agentm/nodes').NodeStore} store
 * @property {() => Promise<string>} [settled] waits until what the store builds in the background is there, and says what
 * @property {() => Promise<void>} remove closes it and takes its files away
 */

/** @param {(scratch: string) => Promise<Opened>} open @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>} */
export function million(open) {
  return async ({ scale, scratch }) => {
    const started = performance.now()
    const opened = await open(scratch)
    try {
      const measured = await measure(opened, Math.round((1_000_000 * scale) / 1000) * 1000)
      const left = performance.now()
      await opened.remove()
      const [closing, all] = [left, started].map((since) => ((performance.now() - since) / 1000).toFixed(0))
      return {
        ...measured,
        notes: [...(measured.notes ?? []), `all of it took ${all} s, ${closing} s of them to close`],
      }
    } catch (error) {
      await opened.remove().catch(() => {})
      throw error
    }
  }
}

/** @param {Opened} opened @param {number} size @returns {Promise<import('../frame.mjs').Measurement>} */
async function measure({ store, settled }, size) {
  const { id: session } = await store.work.openSession({ actor: 'bench', leaseMs: 24 * 3_600_000 })
  const first = await claimTimes(store, { session, prefix: 'first' })
  const rate = await fill(store, size)
  const last = await claimTimes(store, { session, prefix: 'last' })
  const built = await settled?.()
  const asked = await recallTimes(store)
  const { bytes } = await store.log.size()
  return {
    ours: median(last) / median(first),
    notes: [
      `${size} nodes of 256 dimensions and 24 words: ${Math.round(rate)} appends/s in batches of 1,000, ${(bytes / 1e9).toFixed(2)} GB`,
      `recall p50 ${median(asked).toFixed(1)} ms, p95 ${asked[Math.floor(asked.length * 0.95)]?.toFixed(1)} ms`,
      `a claim took ${median(first).toFixed(3)} ms at first and ${median(last).toFixed(3)} ms at last`,
      ...(built === undefined ? [] : [built]),
    ],
  }
}

/** Nodes a second, the time of making them up left out. @param {import('@agentm/nodes').NodeStore} store @param {number} size */
async function fill({ log }, size) {
  const from = generator(23)
  let spent = 0
  for (let done = 0; done < size; done += 1000) {
    const drafts = items(from, `b${done}-`, 1000).map(draftOf)
    const started = performance.now()
    await log.append(drafts, { ...ada, durability: 'normal' })
    spent += performance.now() - started
    if (done % 100_000 === 99_000)
      console.error(`  ${done + 1000} nodes, ${((done + 1000) / spent).toFixed(1)} a millisecond`)
  }
  return (size / spent) * 1000
}

/** @param {import('@agentm/nodes').NodeStore} store @param {{ readonly session: string, readonly prefix: string }} given */
async function claimTimes(store, { session, prefix }) {
  const count = 400
  await addReadySteps(store, prefix, count)
  const times = []
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    await claimOne(store, session)
    times.push(performance.now() - started)
  }
  return times
}

/** In order; the first answers, which read everything into memory, are not among them. @param {import('@agentm/nodes').NodeStore} store */
async function recallTimes({ recall }) {
  const from = generator(29)
  const times = []
  for (let i = 0; i < 60; i++) {
    const query = { owner: 'ada', text: from.text(6), vector: { embedder, values: from.vector() } }
    const asked = performance.now()
    await recall.recall(query)
    times.push(performance.now() - asked)
  }
  return times.slice(5).toSorted((a, b) => a - b)
}
