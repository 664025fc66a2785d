// @ts-check
/**
 * Plants one bug and runs seeds until the simulator says what is wrong. Each in a process of its own, because a module that was
 * loaded cannot be changed any more. `node find-planted.mjs SCENARIO FROM SEEDS` is that process.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { planted } from './planted.mjs'
import { simulate } from './simulate.mjs'

const self = fileURLToPath(import.meta.url)

/**
 * @typedef {object} Found
 * @property {number} seed
 * @property {number} faults how many faults that seed drew
 * @property {string} said the broken promise, in the simulator's words
 */

/**
 * @param {import('./planted.mjs').Planted} bug
 * @param {{ readonly from: number, readonly seeds: number }} range
 * @returns {Promise<Found | undefined>} nothing where no seed shows it
 */
export async function findPlanted({ name, scenario }, { from, seeds }) {
  const hooks = fileURLToPath(new URL('plant.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', hooks, '--no-warnings', self, scenario, `${from}`, `${seeds}`],
    { env: { ...process.env, AGENTM_PLANTED: name }, maxBuffer: 2 ** 26 },
  )
  /** @type {Found | null} */
  const found = JSON.parse(stdout)
  return found ?? undefined
}

/** A seed that shows something else does not count. @param {string} scenario @param {number} from @param {number} seeds @returns {Promise<Found | null>} */
async function firstBroken(scenario, from, seeds) {
  const { says } = planted.find(({ name }) => name === process.env['AGENTM_PLANTED']) ?? { says: /$^/ }
  for (let seed = from; seed < from + seeds; seed++) {
    const { broken, struck } = await simulate(scenario, { seed })
    const said = broken.find((line) => says.test(line))
    if (said !== undefined) return { seed, faults: struck.length, said }
  }
  return null
}

if (process.argv[1] === self) {
  const [, , scenario = '', from, seeds] = process.argv
  process.stdout.write(JSON.stringify(await firstBroken(scenario, Number(from), Number(seeds))))
}
