// @ts-check
/** One million nodes: the append rate on the way, recall at the end, the file, and whether claims got slower. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { median } from '../frame.mjs'
import { embedder, generator } from './data.mjs'
import { ada, draftOf, items, openOurs } from './filled.mjs'
import { addReadySteps, claimOne } from './writes.mjs'

/** @param {import('../frame.mjs').Settings} settings @returns {Promise<import('../frame.mjs').Measurement>} */
export async function million({ scale, scratch }) {
  const size = Math.round(1_000_000 * scale)
  const ours = await openOurs(scratch)
  const { id: session } = await ours.work.openSession({ actor: 'bench', leaseMs: 24 * 3_600_000 })
  await addReadySteps(ours, 'first', 400)
  const first = await claimTimes(ours, session)
  const from = generator(23)
  const started = performance.now()
  for (let done = 0; done < size; done += 1000)
    await ours.log.append(items(from, `b${done}-`, 1000).map(draftOf), { ...ada, durability: 'normal' })
  const rate = size / ((performance.now() - started) / 1000)
  await addReadySteps(ours, 'last', 400)
  const last = await claimTimes(ours, session)
  const times = []
  for (let i = 0; i < 60; i++) {
    const query = { owner: 'ada', text: from.text(6), vector: { embedder, values: from.vector() } }
    const asked = performance.now()
    await ours.recall.recall(query)
    times.push(performance.now() - asked)
  }
  const bytes = statSync(path.join(scratch, 'ours.db')).size
  await ours.close()
  const sorted = times.slice(5).toSorted((a, b) => a - b)
  return {
    ours: median(last) / median(first),
    notes: [
      `${size} nodes: ${Math.round(rate)} appends/s with the generator's share, ${(bytes / 1e9).toFixed(2)} GB`,
      `recall p50 ${median(sorted).toFixed(1)} ms, p95 ${sorted[Math.floor(sorted.length * 0.95)]?.toFixed(1)} ms`,
      `a claim took ${median(first).toFixed(3)} ms at first and ${median(last).toFixed(3)} ms at last`,
    ],
  }
}

/** @param {import('@agentm/nodes').NodeStore} store @param {string} session */
async function claimTimes(store, session) {
  const times = []
  for (let i = 0; i < 400; i++) {
    const started = performance.now()
    await claimOne(store, session)
    times.push(performance.now() - started)
  }
  return times
}
