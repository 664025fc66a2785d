// @ts-check
/** One step, then many that wait for it, then one that waits for them all. */
import { median } from '../frame.mjs'
import { harnessOf, manySteps, workUntil } from './plans.mjs'
import { openStore } from './stores.mjs'

const slots = 16
const warmUps = 2

/** @param {import('@agentm/nodes').NodeStore} store @param {string} owner @param {number} width */
async function fanOnce(store, owner, width) {
  const harness = harnessOf(store, owner)
  const middle = manySteps(width, { dependsOn: ['root'] })
  const ends = { title: 'end', kind: 'nothing' }
  const { planId } = await harness.createPlan({
    goal: 'fan out, and in again',
    steps: [{ key: 'root', ...ends }, ...middle, { key: 'join', ...ends, dependsOn: middle.map(({ key }) => key) }],
  })
  const ms = await workUntil(store, { owner, slots, done: (ended) => ended === width + 2 })
  const { status } = await harness.plan(planId)
  if (status !== 'done' && status !== 'running') throw new Error(`the plan is ${status}`)
  return ms
}

/**
 * @param {import('./stores.mjs').Home} home
 * @param {number} width
 * @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>}
 */
export function fanOut(home, width) {
  return async ({ repeats, scale, scratch }) => {
    const store = await openStore(await home.newAddress(scratch, 'ours'))
    const rounds = Math.max(width > 1000 ? 3 : 7, Math.round((repeats * scale) / (width > 1000 ? 8 : 3)))
    // The code is compiled before the measurement, because a worker runs for hours and compiling is no cost of a plan.
    for (let round = 0; round < warmUps; round++) await fanOnce(store, `warm${round}`, 1000)
    const [wide, narrow] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
    for (let round = 0; round < rounds; round++) {
      if (width > 1000) narrow.push(await fanOnce(store, `narrow${round}`, 1000))
      wide.push(await fanOnce(store, `wide${round}`, width))
    }
    await store.close()
    const notes = [
      `durability ${home.durability.normal}; ${slots} slots, one worker process; first start to last end; after ${warmUps} plans of 1000 that nobody measured`,
    ]
    if (width <= 1000) return { ours: median(wide), notes }
    const times = median(wide.map((ms, i) => ms / (narrow[i] ?? Number.NaN)))
    return { ours: times, notes: [...notes, `${median(wide).toFixed(0)} ms for ${width} steps`] }
  }
}
