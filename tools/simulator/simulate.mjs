// @ts-check
/** One seed of one scenario, and the fewest of its faults that still break something. */
import { Chance } from './seeded.mjs'
import { simulateBeliefs } from './beliefs.mjs'
import { simulateFunctions } from './functions.mjs'
import { simulateNotes } from './notes.mjs'
import { simulatePlans } from './plans.mjs'
import { simulateStorage } from './storage.mjs'

/** @typedef {{ readonly seed: number, readonly only?: readonly string[] }} Run */
/** @typedef {{ readonly broken: readonly string[], readonly struck: readonly string[] }} Outcome */

/** @type {Readonly<Record<string, Scenario>>} */
export const scenarios = {
  plans: simulatePlans,
  beliefs: simulateBeliefs,
  notes: simulateNotes,
  storage: simulateStorage,
  functions: simulateFunctions,
}

/** @typedef {(chance: Chance) => Promise<readonly string[]>} Scenario what did not hold */

/** @param {string | Scenario} named @param {Run} run @returns {Promise<Outcome>} */
export async function simulate(named, { seed, only }) {
  const scenario = typeof named === 'string' ? scenarios[named] : named
  if (scenario === undefined) throw new TypeError(`there is no scenario ${String(named)}`)
  const chance = new Chance(seed, only === undefined ? undefined : new Set(only))
  const broken = await scenario(chance).catch((/** @type {unknown} */ error) => [
    `the simulation threw: ${error instanceof Error ? error.stack : String(error)}`,
  ])
  return { broken, struck: chance.struck }
}

/**
 * Leaves faults out, halves first, single ones last, as long as something stays broken.
 * @param {string | Scenario} named
 * @param {{ readonly seed: number, readonly struck: readonly string[] }} found
 */
export async function shrink(named, { seed, struck }) {
  let faults = struck
  let broken = (await simulate(named, { seed, only: faults })).broken
  for (let size = Math.ceil(faults.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < faults.length;) {
      const fewer = [...faults.slice(0, at), ...faults.slice(at + size)]
      const outcome = await simulate(named, { seed, only: fewer })
      if (outcome.broken.length > 0) [faults, broken] = [fewer, outcome.broken]
      else at += size
    }
  return { faults, broken }
}
