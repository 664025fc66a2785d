// @ts-check
/**
 * How many times longer each thing takes with 100,000 nodes than with 10,000: both stores in turns, so that a slow moment
 * of the machine weighs on both.
 */
import { compare, interleave, median } from '../frame.mjs'
import { embedder, generator } from './data.mjs'
import { ada, concept, draftOf, items } from './items.mjs'
import { addReadySteps, claimOne } from './steps.mjs'

/** @typedef {{ readonly ours: import('@agentm/nodes').NodeStore, readonly now: () => number }} Filled */
/** @typedef {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>} Measure */

/**
 * One case a verb.
 * @param {string} store `sqlite`, `postgres`
 * @param {(size: number) => Promise<Filled>} filledStores
 * @returns {import('../frame.mjs').Case[]}
 */
export function growthCases(store, filledStores) {
  return Object.entries(verbs).map(([verb, prepare], i) => ({
    id: `N11-${store}-${verb}`,
    what: `${names[i]}: growth from 10,000 to 100,000 nodes`,
    unit: 'times as long',
    better: 'less',
    goals: [],
    measure: growth(filledStores, prepare),
  }))
}

const names = [
  'latest',
  'newest 50',
  'recall by meaning and time',
  'recall by meaning, words and time',
  'claim',
  'durable append',
  'durable batch of 1,000',
]

/** @param {(size: number) => Promise<Filled>} filledStores @param {Prepare} prepare @returns {Measure} */
function growth(filledStores, prepare) {
  return async ({ repeats, scale }) => {
    // Not more, or the batches alone make the small store a large one.
    const rounds = Math.max(3, Math.min(7, Math.round(repeats * scale)))
    const [small, large] = [
      await prepare(await filledStores(10_000), rounds),
      await prepare(await filledStores(100_000), rounds),
    ]
    // The first use of either store reads what it needs into memory.
    await small()
    await large()
    const figures = await interleave({ ours: timed(large), small: timed(small) }, rounds)
    const { ours = [], small: before = [] } = figures
    const { peerRatios = {} } = compare(figures, 'more')
    return {
      ours: peerRatios['small'] ?? Number.NaN,
      notes: [
        `a round of the same took ${median(before).toFixed(2)} ms with 10,000 and ${median(ours).toFixed(2)} ms with 100,000`,
      ],
    }
  }
}

/** @param {() => Promise<void>} work */
function timed(work) {
  return async () => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
}

/** @typedef {(filled: Filled, rounds: number) => Promise<() => Promise<void>>} Prepare */

/** @type {Readonly<Record<string, Prepare>>} */
const verbs = {
  async latest({ ours }) {
    const { random } = generator(41)
    return async () => {
      for (let i = 0; i < 100; i++) {
        const id = `b${Math.floor(random() * 10) * 1000}-${Math.floor(random() * 1000)}`
        if ((await ours.log.latest(`${concept}:${id}`, ada)) === undefined) throw new Error(`${id} is not there`)
      }
    }
  },
  async newest({ ours }) {
    return async () => {
      for (let i = 0; i < 10; i++)
        await ours.log.scan({ owner: 'ada', concepts: [concept], order: 'newest', limit: 50 })
    }
  },
  recall: async (filled) => recall(filled, {}),
  words: async (filled) => recall(filled, { wSem: 0.5, wLex: 0.3, wRec: 0.2 }),
  async claim({ ours }, rounds) {
    const each = 20
    await addReadySteps(ours, 'growth', each * (rounds + 1))
    const { id: session } = await ours.work.openSession({ actor: 'bench', leaseMs: 3_600_000 })
    return async () => {
      for (let i = 0; i < each; i++) await claimOne(ours, session)
    }
  },
  async append({ ours }) {
    const from = generator(31)
    const next = named('one')
    return async () => {
      for (let i = 0; i < 20; i++)
        await ours.log.append(items(from, next(), 1).map(draftOf), { ...ada, durability: 'full' })
    }
  },
  async batch({ ours }) {
    const from = generator(37)
    const next = named('many')
    return async () => {
      await ours.log.append(items(from, next(), 1000).map(draftOf), { ...ada, durability: 'full' })
    }
  },
}

/** @param {Filled} filled @param {object} weights */
async function recall({ ours, now }, weights) {
  const from = generator(43)
  return async () => {
    const vector = { embedder, values: from.vector() }
    await ours.recall.recall({
      owner: 'ada',
      text: from.text(6),
      halfLife: 7 * 24 * 3600,
      at: now(),
      vector,
      ...weights,
    })
  }
}

/** @param {string} what */
function named(what) {
  let used = 0
  return () => `growth-${what}-${(used += 1)}-`
}
