// @ts-check
/**
 *     npm run simulate -- [--scenario NAME] [--seeds N] [--from SEED] [--seconds S] [--only SEED] [--planted WHICH]
 *
 * Runs seeds until they are through, or the time is; a seed that breaks a promise is shrunk and printed, and the exit code is 1.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { helpWhereAsked, numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { findPlanted } from './find-planted.mjs'
import { planted } from './planted.mjs'
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
  --planted WHICH   add a known bug to the code that runs, one at a time, and print the first seed that shows it.
                    WHICH is "all", or a part of the bugs' names. The exit code is 1 when a bug is not found
`)
const { values } = orWrongUse(command, () =>
  parseArgs({
    options: {
      scenario: { type: 'string', multiple: true },
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      seconds: { type: 'string' },
      only: { type: 'string' },
      planted: { type: 'string' },
    },
  }),
)

const { names, first, last, until, bugs } = orWrongUse(command, wanted)
if (bugs !== undefined) {
  await findAll(bugs)
  process.exit()
}
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

/** @param {readonly import('./planted.mjs').Planted[]} chosen */
async function findAll(chosen) {
  const found = await inTurns(chosen, (bug) => findPlanted(bug, { from: first, seeds: last - first + 1 }))
  const missed = found.filter((seed) => seed === undefined).length
  console.log(`${chosen.length - missed} of ${chosen.length} planted bugs were found`)
  if (missed > 0) process.exitCode = 1
}

/** As many at once as there are processors; printed as they end. @param {readonly import('./planted.mjs').Planted[]} chosen @param {(bug: import('./planted.mjs').Planted) => ReturnType<typeof findPlanted>} find */
async function inTurns(chosen, find) {
  const left = [...chosen]
  /** @type {Awaited<ReturnType<typeof findPlanted>>[]} */
  const all = []
  const turn = async () => {
    for (let bug = left.shift(); bug !== undefined; bug = left.shift()) {
      const found = await find(bug)
      all.push(found)
      console.log(
        found === undefined
          ? `NOT FOUND: ${bug.name}`
          : `seed ${found.seed}, ${found.faults} faults: ${bug.name}\n  ${found.said}`,
      )
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, turn))
  return all
}

function wanted() {
  const chosen = values.scenario ?? Object.keys(scenarios)
  const unknown = chosen.filter((name) => !Object.hasOwn(scenarios, name))
  if (unknown.length > 0)
    throw new WrongUse(`there is no scenario ${unknown.join(', ')}; there are ${Object.keys(scenarios).join(', ')}`)
  const from = numberIn(values.only === undefined ? '--from' : '--only', values.only ?? values.from, { least: 0 })
  const to = values.only === undefined ? from + numberIn('--seeds', values.seeds) - 1 : from
  const atMost =
    values.seconds === undefined ? Infinity : numberIn('--seconds', values.seconds, { whole: false, least: 0 })
  return { names: chosen, first: from, last: to, until: Date.now() + atMost * 1000, bugs: wantedBugs(chosen) }
}

/** @param {readonly string[]} chosen scenarios */
function wantedBugs(chosen) {
  const { planted: which } = values
  if (which === undefined) return undefined
  const named = planted.filter(
    ({ name, scenario }) => chosen.includes(scenario) && (which === 'all' || name.includes(which)),
  )
  if (named.length === 0) throw new WrongUse(`no planted bug is called ${which}; all of them are meant by "all"`)
  return named
}
