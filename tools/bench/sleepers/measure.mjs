// @ts-check
/**
 * Starts a worker in its own process beside many sleeping functions, watches it for some minutes, and compares each start of a function
 * with the time at which it was due.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median } from '../frame.mjs'
import { percentile } from '../harness/plans.mjs'
import { openStore } from '../harness/stores.mjs'
import { fill } from './fill.mjs'

/** @typedef {import('./recorded-nap.mjs').Sleeper} Sleeper */
/** @typedef {import('./worker-process.mjs').Said} Said */

const script = fileURLToPath(new URL('worker-process.mjs', import.meta.url))
const [secondMs, dayMs] = [1000, 86_400_000]
/** The others sleep until a time between tomorrow and the end of this many days. */
const days = 30
/** The first function is due so long after the functions were written: the worker has started by then. */
const leadMs = 10_000
/** So many were due while no worker ran, and so many are due at the same moment. */
const [overdue, together] = [100, 200]

/**
 * @param {import('../harness/stores.mjs').Home} home
 * @param {{ readonly count: number, readonly watchedMs: number }} full the first sweep over the functions falls into the watched time
 * @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>}
 */
export function sleepers(home, full) {
  return async ({ scale, scratch }) => {
    const count = Math.max(1, Math.round(full.count * scale))
    const watchedMs = Math.max(3 * leadMs, full.watchedMs * Math.min(1, scale))
    const address = await home.newAddress(scratch, 'sleepers')
    const store = await openStore(address)
    const filled = await fill(store, asleep(count))
    const due = dueOnes(Date.now() + leadMs, watchedMs - leadMs)
    await fill(store, due)
    const { bytes } = await store.log.size()
    await store.close()
    const perSecond = Math.round(filled.versions / filled.seconds)
    return figuresOf(await watch(address, due, watchedMs), due, [
      `${count.toLocaleString('en')} functions are ${filled.versions.toLocaleString('en')} versions and ${Math.round(bytes / 1e6)} MB, written at ${perSecond.toLocaleString('en')} versions/s`,
    ])
  }
}

/** @param {number} count @returns {Generator<Sleeper>} */
export function* asleep(count) {
  const tomorrow = Date.now() + dayMs
  for (let i = 0; i < count; i++) yield { name: `s${i}`, until: Math.round(tomorrow + (dayMs * days * i) / count) }
}

/** Some that are overdue, one in each second, and in the middle many at one moment. @param {number} from @param {number} forMs @returns {readonly Sleeper[]} */
export function dueOnes(from, forMs) {
  const seconds = Math.max(1, Math.floor(forMs / secondMs) - 5)
  return [
    ...Array.from({ length: overdue }, (_, i) => ({ name: `overdue-${i}-${from}`, until: from - leadMs - i })),
    ...Array.from({ length: seconds }, (_, i) => ({ name: `due-${i}-${from}`, until: from + i * secondMs })),
    ...Array.from({ length: together }, (_, i) => ({
      name: `together-${i}-${from}`,
      until: from + Math.floor(seconds / 2) * secondMs + 500,
    })),
  ]
}

/**
 * @typedef {object} Watched
 * @property {number} upMs from the start of the process
 * @property {ReadonlyMap<string, number>} starts
 * @property {readonly Extract<Said, { peak: number }>[]} usage one a second
 * @property {number} spawnedAt
 */

/** @param {import('../harness/stores.mjs').Address} address @param {readonly Sleeper[]} due @param {number} forMs @returns {Promise<Watched>} */
export async function watch(address, due, forMs) {
  const spawnedAt = performance.timeOrigin + performance.now()
  const child = spawn(process.execPath, [script, JSON.stringify(address)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const starts = new Map()
  /** @type {Extract<Said, { peak: number }>[]} */
  const usage = []
  let upMs = Number.NaN
  createInterface({ input: child.stdout }).on('line', (line) => {
    /** @type {Said} */
    const said = JSON.parse(line)
    if ('up' in said) upMs = said.up - spawnedAt
    else if ('name' in said) starts.set(said.name, said.at)
    else usage.push(said)
  })
  const last = Math.max(...due.map(({ until }) => until))
  await sleep(Math.max(forMs, last - Date.now() + 5 * secondMs))
  child.kill('SIGKILL')
  return { upMs, starts, usage, spawnedAt }
}

/** @param {Watched} watched @param {readonly Sleeper[]} due @param {readonly string[]} notes @returns {import('../frame.mjs').Measurement} */
export function figuresOf({ upMs, starts, usage, spawnedAt }, due, notes) {
  const lateOf = (/** @type {Sleeper} */ { name, until }) => (starts.get(name) ?? Number.POSITIVE_INFINITY) - until
  const sinceSpawned = (/** @type {Sleeper} */ { name }) => (starts.get(name) ?? Number.POSITIVE_INFINITY) - spawnedAt
  const named = (/** @type {string} */ prefix) => due.filter(({ name }) => name.startsWith(prefix))
  const late = named('due-').map(lateOf)
  const atStart = named('overdue-').map(sinceSpawned)
  const [begin, middle, end] = [usage[0], usage[usage.length >> 1], usage.at(-1)]
  return {
    ours: upMs / 1000,
    counts: {
      MB: Math.round(Math.max(...usage.map(({ peak }) => peak)) / 1e6),
      'ms late': whole(median(late)),
      'ms late at p99': whole(percentile(late, 0.99)),
      'ms late at worst': whole(Math.max(...late)),
      'never started': due.filter(({ name }) => !starts.has(name)).length,
    },
    notes: [
      ...notes,
      `of ${overdue} functions that fell due while no worker ran, the first started ${whole(Math.min(...atStart))} ms after the process, the last ${whole(Math.max(...atStart))} ms; of ${together} that fell due at one moment, the last started ${whole(Math.max(...named('together-').map(lateOf)))} ms after it`,
      `processor: ${sharePerCent(begin, end)} % of one core over ${usage.length} s, ${sharePerCent(middle, end)} % in the second half`,
    ],
  }
}

/** @param {number} figure */
function whole(figure) {
  return Math.round(figure)
}

/** @param {Watched['usage'][number] | undefined} from @param {Watched['usage'][number] | undefined} to */
function sharePerCent(from, to) {
  if (from === undefined || to === undefined) return Number.NaN
  return Number((((to.cpuMs - from.cpuMs) / (to.at - from.at)) * 100).toFixed(1))
}
