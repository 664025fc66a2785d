#!/usr/bin/env node
// @ts-check
/**
 * Whether done means done: twenty small repositories with a failing test each, and a model that errs in the ways models err.
 *
 *     npm run eval -- coding [--part tuning|kept] [--kills N] [--seed N] [--at-once N] [--json FILE]
 *
 * Each repository is worked on twice, without a check and with one, by the real loop with real files and programs. The worker process
 * is killed with kill -9 at random points, up to N times (default: 3), and another one continues. A success is false if the plan is
 * done and the tests, as they were written, do not pass. The exit code is 1 if there is a false success with the gate.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { seededRandom } from '@agentm/conformance/logs'
import { orWrongUse, WrongUse } from '../options.mjs'
import { runTask } from './coding/run-task.mjs'
import { tasks } from './coding/repositories.mjs'

const usage = 'npm run eval -- coding'
const { values } = orWrongUse(usage, () =>
  parseArgs({
    options: {
      part: { type: 'string' },
      kills: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
      'at-once': { type: 'string', default: '2' },
      json: { type: 'string' },
    },
  }),
)
const [kills, seed, atOnce] = [count('kills', 0), count('seed', 0), count('at-once', 1)]
orWrongUse(usage, () => {
  if (values.part !== undefined && values.part !== 'tuning' && values.part !== 'kept')
    throw new WrongUse(`--part is tuning or kept, not ${values.part}`)
})

const chosen = tasks.filter(({ part }) => values.part === undefined || part === values.part)
const without = await runAll(false)
const gated = await runAll(true)
report('without the gate', without)
report('with the gate', gated)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ without, gated }, null, 2)}\n`)
process.exitCode = gated.some(isFalse) ? 1 : 0

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
      outcomes[i] = await runTask(task, { hasGate, kills: Math.floor(random() * (kills + 1)), random })
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
    `  false successes: ${outcomes.filter(isFalse).length} of ${all}; done: ${done}; fixed but not done: ${missed}; kills: ${killed}; repositories with files left over: ${littered}`,
  )
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
