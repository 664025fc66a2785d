// @ts-check
/**
 *     npm run simulate -- [--scenario NAME] [--seeds N] [--from SEED] [--seconds S] [--only SEED]
 *
 * Runs seeds until they are through, or the time is; a seed that breaks a promise is shrunk and printed, and the exit code is 1.
 */
import { parseArgs } from 'node:util'
import { helpWhereAsked, numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { scenarios, simulate, shrink } from './simulate.mjs'

const command = 'npm run simulate'
helpWhereAsked(`
Usage: npm run simulate -- [OPTIONS]

Runs the real harness, memory and consolidation in simulated time, with faults drawn from a seed. A seed that breaks a promise is
shrunk and printed, and the exit code is 1.

  --scenario NAME   only this one; may be given several times. There are: ${Object.keys(scenarios).join(', ')}
  --seeds N         so many seeds of each; 1000 where absent
  --from SEED       the first of them; 1 where absent
  --only SEED       this seed alone
  --seconds S       stop after so long
`)
const { values } = orWrongUse(command, () =>
  parseArgs({
    options: {
      scenario: { type: 'string', multiple: true },
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      seconds: { type: 'string' },
      only: { type: 'string' },
    },
  }),
)

const { names, first, last, until } = orWrongUse(command, wanted)
const began = Date.now()
let ran = 0
for (let seed = first; seed <= last && Date.now() < until; seed++)
  for (const name of names) {
    const { broken, struck } = await simulate(name, { seed })
    ran += 1
    if (broken.length === 0) continue
    console.log(`scenario ${name}, seed ${seed}, with ${struck.length} faults:`)
    for (const line of broken) console.log(`  ${line}`)
    const least = await shrink(name, { seed, struck })
    console.log(`shrunk to ${least.faults.length} faults; keep it as a test:`)
    console.log(JSON.stringify({ scenario: name, seed, faults: least.faults, breaks: least.broken[0] }))
    process.exitCode = 1
  }
const seconds = (Date.now() - began) / 1000
console.log(
  `${ran} runs of ${names.join(', ')} in ${seconds.toFixed(1)} s (${Math.round((ran / seconds) * 60)} a minute)`,
)

function wanted() {
  const chosen = values.scenario ?? Object.keys(scenarios)
  const unknown = chosen.filter((name) => !Object.hasOwn(scenarios, name))
  if (unknown.length > 0)
    throw new WrongUse(`there is no scenario ${unknown.join(', ')}; there are ${Object.keys(scenarios).join(', ')}`)
  const from = numberIn(values.only === undefined ? '--from' : '--only', values.only ?? values.from, { least: 0 })
  const to = values.only === undefined ? from + numberIn('--seeds', values.seeds) - 1 : from
  const atMost =
    values.seconds === undefined ? Infinity : numberIn('--seconds', values.seconds, { whole: false, least: 0 })
  return { names: chosen, first: from, last: to, until: Date.now() + atMost * 1000 }
}
