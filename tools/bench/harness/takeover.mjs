// @ts-check
/** How long a step of a killed worker waits until another worker takes it over. */
import { median } from '../frame.mjs'
import { harnessOf, percentile } from './plans.mjs'
import { openStore } from './stores.mjs'
import { startWorkerProcess } from './worker-processes.mjs'

const now = () => performance.timeOrigin + performance.now()

/**
 * @param {import('./stores.mjs').Home} home
 * @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>}
 */
export function takeover(home) {
  return async ({ repeats, scale, scratch }) => {
    const times = []
    for (let round = 0; round < Math.max(3, Math.round((repeats * scale) / 4)); round++)
      times.push(await once(await home.newAddress(scratch, `ours${round}`)))
    return {
      ours: median(times),
      counts: { 'ms at worst': Math.round(percentile(times, 1)) },
      notes: ['kill -9 to the start of the next attempt; two worker processes, a lease of 10 s'],
    }
  }
}

/** @param {import('./stores.mjs').Address} address */
async function once(address) {
  const store = await openStore(address)
  /** @type {((start: { at: number, pid: number }) => void) | undefined} */
  let heard
  const next = () =>
    new Promise((/** @type {(start: { at: number, pid: number }) => void} */ resolve) => (heard = resolve))
  const onStart = (/** @type {{ at: number }} */ { at }, /** @type {number} */ pid) => heard?.({ at, pid })
  const crew = [await startWorkerProcess(address, onStart), await startWorkerProcess(address, onStart)]
  try {
    const first = next()
    await harnessOf(store, 'ada').createPlan({
      goal: 'g',
      steps: [{ key: 'a', title: 'a', kind: 'nothing', input: { ms: 60_000 } }],
    })
    const { pid } = await first
    const second = next()
    const killed = now()
    await crew.find((member) => member.pid === pid)?.kill()
    return (await second).at - killed
  } finally {
    for (const member of crew) await member.kill()
    await store.close()
  }
}
