// @ts-check
/** Plans whose steps do nothing, so that only the time of the harness itself is measured. */
import { openHarness, startWorker } from '@agentm/harness'

/** @typedef {import('@agentm/nodes').NodeStore} NodeStore */

/** @param {(run: import('@agentm/harness').StepRun) => void} [onStart] @returns {import('@agentm/harness').StepKind} */
export function nothing(onStart) {
  return {
    name: 'nothing',
    async run(run) {
      onStart?.(run)
      return { end: 'done' }
    },
  }
}

/** @param {number} count @param {Partial<import('@agentm/harness').NewStep>} [more] @returns {import('@agentm/harness').NewStep[]} */
export function manySteps(count, more = {}) {
  return Array.from({ length: count }, (_, i) => ({ key: `s${i}`, title: `s${i}`, kind: 'nothing', ...more }))
}

/** @param {NodeStore} store @param {string} owner */
export function harnessOf(store, owner) {
  return openHarness({ store, owner, actor: 'bench' })
}

/**
 * Runs a worker in this process until `done` returns true. Returns the milliseconds from the first start of a step until then.
 * @param {NodeStore} store
 * @param {{
 *   readonly owner: string, readonly slots: number, readonly perPartition?: number,
 *   readonly onStart?: (run: import('@agentm/harness').StepRun) => void,
 *   readonly kind?: import('@agentm/harness').StepKind,
 *   readonly done: (ended: number) => boolean }} options
 */
export async function workUntil(store, { owner, slots, perPartition = Math.max(4, slots), onStart, kind, done }) {
  let [began, over, ended] = [0, 0, 0]
  /** @type {unknown[]} */
  const errors = []
  /** @type {((value?: unknown) => void) | undefined} */
  let finish
  const finished = new Promise((resolve) => (finish = resolve))
  const idle = nothing((run) => {
    if (began === 0) began = performance.now()
    onStart?.(run)
  })
  const worker = await startWorker({
    store,
    owners: [owner],
    slots,
    perPartition,
    kinds: [kind ?? idle],
    onError: (error) => errors.push(error),
    onRun(report) {
      ended += report.ended === 'done' ? 1 : 0
      if (over !== 0 || !done(ended)) return
      over = performance.now()
      finish?.()
    },
  })
  await finished
  await worker.stop()
  if (errors.length > 0) throw new AggregateError(errors)
  return over - began
}

/** @param {readonly number[]} times @param {number} share */
export function percentile(times, share) {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}
