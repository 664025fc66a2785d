// @ts-check
/** 199 small tenants beside one with very many steps: how long the small ones wait, and what fairness costs in total. */
import { median } from '../frame.mjs'
import { harnessOf, manySteps, workUntil } from './plans.mjs'
import { openStore } from './stores.mjs'

const slots = 16
const tenants = 199

/**
 * @param {import('./stores.mjs').Home} home
 * @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>}
 */
export function smallTenants(home) {
  return async ({ repeats, scale, scratch }) => {
    const store = await openStore(await home.newAddress(scratch, 'ours'))
    const crowd = Math.round(10_000 * Math.min(1, scale))
    const [waits, worst, shares] = [
      /** @type {number[]} */ ([]),
      /** @type {number[]} */ ([]),
      /** @type {number[]} */ ([]),
    ]
    for (let round = 0; round < Math.max(3, Math.round((repeats * scale) / 8)); round++) {
      const fifo = await runAll(store, { owner: `fifo${round}`, crowd, partitionOf: () => 'all' })
      const fair = await runAll(store, { owner: `fair${round}`, crowd, partitionOf: (i) => `tenant${i}` })
      waits.push(median(fair.waits))
      worst.push(Math.max(...fair.waits))
      shares.push(fifo.ms / fair.ms)
    }
    await store.close()
    return {
      ours: median(waits),
      ratio: median(shares),
      counts: { 'ms the last one': Math.round(median(worst)) },
      notes: [
        `durability ${home.durability.normal}; ${slots} slots, one worker process; the median tenant's wait from the first start; ratio: throughput of the whole beside one queue for all (FIFO)`,
      ],
    }
  }
}

/**
 * @param {import('@agentm/nodes').NodeStore} store
 * @param {{ readonly owner: string, readonly crowd: number, readonly partitionOf: (tenant: number) => string }} options
 */
async function runAll(store, { owner, crowd, partitionOf }) {
  const harness = harnessOf(store, owner)
  await harness.createPlan({ goal: 'much', steps: manySteps(crowd), partition: `${owner}-${partitionOf(-1)}` })
  for (let i = 0; i < tenants; i++)
    await harness.createPlan({
      goal: 'little',
      steps: [{ key: 'a', title: 'small', kind: 'nothing' }],
      partition: `${owner}-${partitionOf(i)}`,
    })
  let began = 0
  /** @type {number[]} */
  const waits = []
  const ms = await workUntil(store, {
    owner,
    slots,
    onStart({ step }) {
      if (began === 0) began = performance.now()
      if (step.title === 'small') waits.push(performance.now() - began)
    },
    done: (ended) => ended === crowd + tenants,
  })
  return { ms, waits }
}
