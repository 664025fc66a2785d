#!/usr/bin/env node
// @ts-check
/**
 * Whether done means done: twenty small repositories with a failing test each, and a model that errs in the ways models err.
 *
 *     npm run eval -- coding [--agent loop|claude-code|codex] [--part tuning|kept] [--only NAME,…] [--kills N] [--seed N] [--at-once N] [--json FILE]
 *
 * Each repository is worked on twice, without a check and with one, with real files and programs. The plan works in a tree of its own, as that
 * of `agentm do` in a git repository. Its result is applied if it is done, and discarded otherwise. `--agent` says who works: our own
 * loop (default), or a coding agent from npm whose model is a server on loopback. The worker process or the coding agent is killed with
 * kill -9 at random points, up to N times (default: 3), and goes on. A coding agent meets a usage limit in every fourth repository.
 * A success is false if the plan is done and the tests, as they were written, do not pass. The exit code is 1 if there is a false success
 * with the gate, if a file, a tree or a branch is left over, or if a coding agent left a process, wrote where it may not, or cost something
 * else than what was booked.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { seededRandom } from '@agentm/conformance/logs'
import { orWrongUse, WrongUse } from '../options.mjs'
import { installClients } from '../clients/clients.mjs'
import { printMeasured, unexplained } from './coding/measured.mjs'
import { runTask } from './coding/run-task.mjs'
import { tasks } from './coding/repositories.mjs'

const usage = 'npm run eval -- coding'
const { values } = orWrongUse(usage, () =>
  parseArgs({
    options: {
      agent: { type: 'string', default: 'loop' },
      part: { type: 'string' },
      only: { type: 'string' },
      kills: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
      'at-once': { type: 'string', default: '2' },
      json: { type: 'string' },
    },
  }),
)
const [kills, seed, atOnce] = [count('kills', 0), count('seed', 0), count('at-once', 1)]
const names = values.only?.split(',') ?? []
orWrongUse(usage, () => {
  if (values.part !== undefined && values.part !== 'tuning' && values.part !== 'kept')
    throw new WrongUse(`--part is tuning or kept, not ${values.part}`)
  if (values.only !== undefined && !names.every((name) => tasks.some((task) => task.name === name)))
    throw new WrongUse(
      `--only takes names of repositories (${tasks.map(({ name }) => name).join(', ')}), not ${values.only}`,
    )
})
const client = orWrongUse(usage, () => clientIn(values.agent))
const agent = client === undefined ? {} : { client, installed: await installedClients() }

const chosen = tasks.filter(
  ({ name, part }) =>
    (values.part === undefined || part === values.part) && (values.only === undefined || names.includes(name)),
)
const without = await runAll(false)
const gated = await runAll(true)
report('without the gate', without)
report('with the gate', gated)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ without, gated }, null, 2)}\n`)
const strange = client === undefined ? [] : [...without, ...gated].flatMap(unexplained)
for (const each of strange) console.log(`  ${each}`)
const leftOver = [...without, ...gated].flatMap(({ task, leftovers }) =>
  leftovers.map((each) => `${task}: left over: ${each}`),
)
for (const each of leftOver) console.log(`  ${each}`)
process.exitCode = gated.some(isFalse) || strange.length + leftOver.length > 0 ? 1 : 0

/** @param {boolean} hasGate */
async function runAll(hasGate) {
  /** @type {import('./coding/run-task.mjs').Outcome[]} */
  const outcomes = []
  let next = 0
  const lane = async () => {
    for (let i = next++; i < chosen.length; i = next++) {
      const task = chosen[i]
      if (task === undefined) return
      const random = seededRandom(seed * 1000 + i)
      outcomes[i] = await runTask(task, {
        hasGate,
        kills: Math.floor(random() * (kills + 1)),
        random,
        ...agent,
        ...(i % 4 === 1 && { limitAfter: 1 }),
      })
      process.stderr.write('.')
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return outcomes
}

/** @param {import('./coding/run-task.mjs').Outcome} outcome */
function isFalse({ status, isFixed }) {
  return status === 'done' && !isFixed
}

/** @param {string} title @param {readonly import('./coding/run-task.mjs').Outcome[]} outcomes */
function report(title, outcomes) {
  console.log(`\n${title}`)
  for (const outcome of outcomes) {
    const { task, habit, status, isFixed, rounds, kills: killed, code } = outcome
    const verdict = isFalse(outcome) ? 'FALSE SUCCESS' : status === 'done' ? 'success' : (code ?? status)
    const truth = isFixed ? 'fixed' : 'not fixed'
    console.log(
      `  ${task.padEnd(16)}${habit.padEnd(38)}${truth.padEnd(11)}${`${rounds} rounds`.padEnd(10)}${`${killed} kills`.padEnd(9)}${verdict}`,
    )
  }
  const all = outcomes.length
  const done = outcomes.filter(({ status }) => status === 'done').length
  const missed = outcomes.filter(({ status, isFixed }) => status !== 'done' && isFixed).length
  const killed = outcomes.reduce((sum, each) => sum + each.kills, 0)
  const littered = outcomes.filter(({ leftovers }) => leftovers.length > 0).length
  console.log(
    `  false successes: ${outcomes.filter(isFalse).length} of ${all}; done: ${done}; fixed but not done: ${missed}; kills: ${killed}; repositories with anything left over: ${littered}`,
  )
  if (client !== undefined) printMeasured(outcomes)
}

async function installedClients() {
  const place = await installClients()
  if ('why' in place) throw new Error(place.why)
  return place.directory
}

/** @param {string} name @returns {import('./coding/client-agent.mjs').ClientAgentName | undefined} */
function clientIn(name) {
  if (name === 'loop') return undefined
  if (name === 'claude-code' || name === 'codex') return name
  throw new WrongUse(`--agent is loop, claude-code or codex, not ${name}`)
}

/** @param {'kills' | 'seed' | 'at-once'} name @param {number} least */
function count(name, least) {
  const given = Number(values[name])
  return orWrongUse(usage, () => {
    if (!Number.isSafeInteger(given) || given < least)
      throw new WrongUse(`--${name} is a whole number, at least ${least}, not ${values[name]}`)
    return given
  })
}
