// @ts-check
/**
 *     npm run simulate -- [--scenario NAME] [--seeds N] [--from SEED] [--seconds S] [--only SEED]
 *
 * Runs seeds until they are through, or the time is; a seed that breaks a promise is shrunk and printed, and the exit code is 1.
 */
import { parseArgs } from 'node:util'
import { scenarios, simulate, shrink } from './simulate.mjs'

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', multiple: true },
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    only: { type: 'string' },
  },
})

const names = values.scenario ?? Object.keys(scenarios)
const unknown = names.filter((name) => scenarios[name] === undefined)
if (unknown.length > 0) {
  console.error(`there is no scenario ${unknown.join(', ')}; there are ${Object.keys(scenarios).join(', ')}`)
  process.exit(2)
}
const first = Number(values.only ?? values.from)
const last = values.only === undefined ? first + Number(values.seeds) - 1 : first
const until = values.seconds === undefined ? Infinity : Date.now() + Number(values.seconds) * 1000
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
