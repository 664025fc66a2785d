// @ts-check
/** How soon an idle worker starts a new plan, in the same process or in another one. */
import { startWorker } from '@agentm/harness'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../frame.mjs'
import { harnessOf, nothing, percentile } from './plans.mjs'
import { openStore } from './stores.mjs'
import { startWorkerProcess } from './worker-processes.mjs'

/** Plans before the measurement, because the first ones run code that is not compiled yet. */
const warmUps = 10

const now = () => performance.timeOrigin + performance.now()

/**
 * @param {import('./stores.mjs').Home} home
 * @param {{ readonly processes: 1 | 2 }} options
 * @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>}
 */
export function wakes(home, { processes }) {
  return async ({ repeats, scale, scratch }) => {
    const address = await home.newAddress(scratch, 'ours')
    const store = await openStore(address)
    const harness = harnessOf(store, 'ada')
    /** @type {((at: number) => void) | undefined} */
    let heard
    const worker =
      processes === 1
        ? await startWorker({ store, owners: ['ada'], kinds: [nothing(() => heard?.(now()))] })
        : await startWorkerProcess(address, ({ at }) => heard?.(at))
    const [sinceAcknowledged, sinceAsked] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
    const plans = Math.max(30, Math.round(Math.max(200, repeats * 8) * Math.min(1, scale)))
    for (let i = -warmUps; i < plans; i++) {
      await sleep(20 + ((i + warmUps) % 7) * 5)
      const started = new Promise((/** @type {(at: number) => void} */ resolve) => (heard = resolve))
      const asked = now()
      await harness.createPlan({ goal: `g${i}`, steps: [{ key: 'a', title: 'a', kind: 'nothing' }] })
      const acknowledged = now()
      const at = await started
      if (i < 0) continue
      sinceAcknowledged.push(Math.max(0, at - acknowledged))
      sinceAsked.push(at - asked)
    }
    if ('stop' in worker) await worker.stop()
    else await worker.kill()
    await store.close()
    const p99 = percentile(sinceAcknowledged, 0.99)
    return {
      ours: median(sinceAcknowledged),
      counts: { 'ms p99': Number(p99.toPrecision(3)) },
      notes: [
        `from the acknowledged plan to the start of its step; from the call, the plan's own durable commit included: p50 ${median(sinceAsked).toFixed(1)}, p99 ${percentile(sinceAsked, 0.99).toFixed(1)} ms; ${plans} plans, after ${warmUps} that nobody measured`,
      ],
    }
  }
}
