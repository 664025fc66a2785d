// @ts-check
/** The three programs as a measurement sees them: how much is done in a round, and whether the results are right. */
import { afterCalls, doubleCalls, untilAsked } from './services.mjs'

/** @typedef {import('./engines.mjs').Engine} Engine */

/**
 * @typedef {object} Program
 * @property {string} file
 * @property {(scale: number) => number} steps how many durable steps a round has: the steps, waits and questions of the program
 * @property {(engine: Engine, round: { readonly name: string, readonly scale: number }) => Promise<Round>} run
 */
/** @typedef {{ readonly ms: number, readonly doubles: number, readonly wrong: number }} Round */

/** Half of the orders cannot be delivered: three steps, and two that take back what was done. @type {Program} */
export const orderSaga = {
  file: 'order-saga',
  steps: (scale) => orders(scale) * 4,
  async run(engine, { name, scale }) {
    const placed = Array.from({ length: orders(scale) }, (_, i) => ({
      id: `${name}-${i}`,
      address: i % 2 === 0 ? 'here' : 'nowhere',
    }))
    return timed(engine, {
      calls: orders(scale) * 4,
      results: () => placed.map(async (order) => engine.placeOrder(order).catch((error) => String(error))),
      isRight: (result, i) =>
        i % 2 === 0 ? Object(result).parcel === `t-${name}-${i}` : /nobody delivers/.test(String(result)),
    })
  },
}

/** The request, the wait for the approval, the hosts, and the announcement. @type {Program} */
export const rollout = {
  file: 'rollout',
  steps: (scale) => hosts(scale) + 3,
  async run(engine, { name, scale }) {
    const all = Array.from({ length: hosts(scale) }, (_, i) => `host-${i}`)
    const approved = untilAsked(name).then(async () => engine.approve(name))
    const round = await timed(engine, {
      calls: hosts(scale) + 2,
      results: () => [engine.rollOut({ tag: name, hosts: all })],
      isRight: (result) => Object(result).deployed?.[all.length - 1] === `${all.at(-1)} runs ${name}`,
    })
    await approved
    return round
  },
}

/** A welcome, thirty days each with a sleep and a step, and an invoice. @type {Program} */
export const subscription = {
  file: 'subscription',
  steps: (scale) => customers(scale) * 62,
  async run(engine, { name, scale }) {
    const subscribers = Array.from({ length: customers(scale) }, (_, i) => ({ customer: `${name}-${i}`, days: 30 }))
    return timed(engine, {
      calls: customers(scale) * 32,
      results: () => subscribers.map(async (each) => engine.subscribe(each)),
      isRight: (result) => Object(result).used === 60,
    })
  },
}

/** @param {number} scale */
const orders = (scale) => Math.max(2, 2 * Math.round(32 * scale))
/** @param {number} scale */
const hosts = (scale) => Math.max(1, Math.round(1000 * scale))
/** @param {number} scale */
const customers = (scale) => Math.max(1, Math.round(20 * scale))

/**
 * Until the last call of a service: how soon an engine tells the caller of a result is another matter, and some look once a second.
 * @param {Engine} engine
 * @param {{
 *   readonly calls: number, readonly results: () => readonly Promise<unknown>[],
 *   readonly isRight: (result: unknown, i: number) => boolean }} work
 * @returns {Promise<Round>}
 */
async function timed(engine, { calls, results, isRight }) {
  let [ms, doubles, wrong] = [0, 0, 0]
  await engine.during(async () => {
    const over = afterCalls(calls)
    const began = performance.now()
    const all = Promise.all(results())
    ms = (await Promise.race([over, all.then(async () => over)])) - began
    const answers = await all
    doubles = doubleCalls()
    wrong = answers.filter((result, i) => !isRight(result, i)).length
  })
  return { ms, doubles, wrong }
}
