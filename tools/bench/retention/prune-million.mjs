// @ts-check
/** Nine tenths of a log of a million nodes are removed while two worker processes go on. How much longer do they wait? */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseGroups } from '@agentm/harness/retention'
import { scanAll } from '@agentm/nodes'
import { median } from '../frame.mjs'
import { fillPlans } from './fill.mjs'
import { openStore } from '../harness/stores.mjs'
import { harnessConcepts as concepts } from '@agentm/harness/concepts'

const script = fileURLToPath(new URL('busy-process.mjs', import.meta.url))

/** @typedef {{ readonly append: readonly number[], readonly claim: readonly number[] }} Times */

/** @param {import('../harness/stores.mjs').Home} home @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>} */
export function pruneMillion(home) {
  return async ({ scale, scratch }) => {
    const address = await home.newAddress(scratch, 'log')
    const store = await openStore(address)
    const size = Math.round((1_000_000 * scale) / 1000) * 1000
    try {
      await fillPlans(store.log, 0, size * 0.9)
      await sleep(1000)
      const before = await store.work.now()
      await fillPlans(store.log, size * 0.9, size)
      return await measure({ store, address, before, size })
    } finally {
      await store.close()
    }
  }
}

/**
 * @param {{ readonly store: import('@agentm/nodes').NodeStore, readonly address: import('../harness/stores.mjs').Address,
 *   readonly before: number, readonly size: number }} world
 * @returns {Promise<import('../frame.mjs').Measurement>}
 */
async function measure({ store, address, before, size }) {
  const full = await store.log.size()
  const workers = [await startBusy(address, 'worker-a'), await startBusy(address, 'worker-b')]
  await sleep(1000)
  const times = async () => together(await Promise.all(workers.map(async (worker) => worker.times())))
  await times()
  await sleep(5000)
  const calm = await times()
  const [choosing, chosen] = await timed(async () =>
    chooseGroups({ store, owner: 'ada', concepts }, { rule: { before } }),
  )
  await times()
  const [removing, removal] = await timed(async () => chosen.remove())
  const during = await times()
  const [reclaiming] = await timed(async () => store.log.reclaim())
  const meanwhile = await times()
  await Promise.all(workers.map(async (worker) => worker.end()))
  const left = await store.log.size()
  const [checking, check] = await timed(async () => store.log.check())
  const kept = (await scanAll(store.log, { owner: 'ada', concepts: ['v1:harness:plan'], partition: 'project-0' }))
    .length
  return {
    ours: Math.max(worst(during), worst(meanwhile)),
    counts: {
      lost: Math.round((size * 0.1) / 1000) - kept,
      problems: check.problems.length,
      stayed: Object.values(removal.stayed).reduce((sum, n) => sum + n, 0),
    },
    notes: [
      `${size} nodes, ${full.versions} versions, ${megabytes(full.bytes)}; two workers of two processes`,
      `${removal.nodes} nodes of ${chosen.leave.length} plans removed in ${seconds(removing)}: ${removal.transactions} transactions, the longest ${removal.longestMs.toFixed(0)} ms; chosen in ${seconds(choosing)}`,
      `space given back in ${seconds(reclaiming)}: ${megabytes(full.bytes)} before, ${megabytes(left.bytes)} after; checked in ${seconds(checking)}`,
      `workers before: ${said(calm)}`,
      `workers while nodes are removed: ${said(during)}`,
      `workers while space is given back: ${said(meanwhile)}`,
    ],
  }
}

/** @param {import('../harness/stores.mjs').Address} address @param {string} name */
async function startBusy(address, name) {
  const child = spawn(process.execPath, [script, JSON.stringify(address), name], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return {
    /** @returns {Promise<Times>} */
    async times() {
      child.stdin.write('\n')
      const [line] = await once(lines, 'line')
      return JSON.parse(line)
    },
    async end() {
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}

/** @param {Times} times */
function worst({ append, claim }) {
  return Math.max(0, ...append, ...claim)
}

/** @param {readonly Times[]} all @returns {Times} */
function together(all) {
  return { append: all.flatMap(({ append }) => append), claim: all.flatMap(({ claim }) => claim) }
}

/** @param {Times} times */
function said({ append, claim }) {
  return `${append.length} appends ${spread(append)}, ${claim.length} claims ${spread(claim)}`
}

/** @param {readonly number[]} times */
function spread(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1)
  return `p50 ${times.length === 0 ? 'none' : median(times).toFixed(1)}, p99 ${at(0.99)}, most ${at(1)} ms`
}

/** @template T @param {() => Promise<T>} work @returns {Promise<[number, T]>} */
async function timed(work) {
  const started = performance.now()
  const answer = await work()
  return [performance.now() - started, answer]
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
