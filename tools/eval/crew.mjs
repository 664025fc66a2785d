#!/usr/bin/env node
// @ts-check
/**
 * Eight agents on one repository at once: each edits a line of one file and writes a file of its own, in a tree of its own.
 *
 *     npm run eval -- crew [--agents loop|clients] [--seconds N] [--kills N] [--json FILE]
 *
 * Run twice, all at once and one after the other. `clients` are four of Claude Code and four of Codex, from npm, with one home and a
 * model server on loopback; `loop` is our own loop. A reply of the model takes `--seconds` (default: 1). With `--kills`, that many workers
 * are killed at random points while all work at once (default: 0). The merge step brings the results together in the order of the plan,
 * and the check runs after it. The exit code is 1 if an edit is lost, the order is another, the check fails, or something is left over.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installClients } from '../clients/clients.mjs'
import { numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { runCrew } from './crew/run-crew.mjs'

const usage = 'npm run eval -- crew'
const { values } = orWrongUse(usage, () =>
  parseArgs({
    options: {
      agents: { type: 'string', default: 'loop' },
      seconds: { type: 'string', default: '1' },
      kills: { type: 'string', default: '0' },
      json: { type: 'string' },
    },
  }),
)
const seconds = orWrongUse(usage, () => numberIn('--seconds', values.seconds, { least: 0, whole: false }))
const kills = orWrongUse(usage, () => numberIn('--kills', values.kills, { least: 0 }))
const crew = orWrongUse(usage, () => crewIn(values.agents))
const installed = crew === 'loop' ? '' : await installedClients()

const atOnce = await runCrew({ crew, atOnce: 8, seconds, kills, installed })
report('all at once', atOnce)
const oneByOne = await runCrew({ crew, atOnce: 1, seconds, installed })
report('one after the other', oneByOne)
console.log(`\n${(oneByOne.ms / atOnce.ms).toFixed(1)} times as fast`)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ atOnce, oneByOne }, null, 2)}\n`)
process.exitCode = [atOnce, oneByOne].every(isWhole) ? 0 : 1

/** @param {import('./crew/run-crew.mjs').CrewOutcome} outcome */
function isWhole({ status, lost, isInOrder, wasUntouched, treesLeft, processesLeft }) {
  return status === 'done' && lost === 0 && isInOrder && wasUntouched && treesLeft === 0 && processesLeft === 0
}

/** @param {string} title @param {import('./crew/run-crew.mjs').CrewOutcome} outcome */
function report(title, { status, failure, ms, lost, isInOrder, wasUntouched, treesLeft, processesLeft }) {
  console.log(
    [
      `\n${title}: ${(ms / 1000).toFixed(1)} s, the plan is ${status}${failure === undefined ? '' : `: ${failure}`}`,
      `  edits lost: ${lost} of 16; merged in order: ${isInOrder ? 'yes' : 'no'}; the folder before: ${wasUntouched ? 'untouched' : 'CHANGED'}`,
      `  trees and branches left over: ${treesLeft}; processes left over: ${processesLeft}`,
    ].join('\n'),
  )
}

/** @param {string} name @returns {import('./crew/run-crew.mjs').CrewName} */
function crewIn(name) {
  if (name === 'loop' || name === 'clients') return name
  throw new WrongUse(`--agents is loop or clients, not ${name}`)
}

async function installedClients() {
  const place = await installClients()
  if ('why' in place) throw new Error(place.why)
  return place.directory
}
