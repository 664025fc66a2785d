#!/usr/bin/env node
// @ts-check
/**
 * What is learned from agent sessions: how much of it is right, and how much of what is worth learning is learned.
 *
 *     npm run eval -- lessons [--part tuning|kept|fresh] [--json FILE] [--list]
 *
 * The sessions in tools/eval/lessons/sets were labelled by hand. Half of the projects is for tuning the rules, the other is kept for
 * the figure that counts. The part `fresh` was written after the rules, and changed none of them. With `--list`, what is wrong or missed
 * in the half for tuning is printed.
 *
 * Two scripted models find all that is worth learning, in the words of the labels. The gullible one is also taken in by every second
 * tempting thing. Their figures say what the checks of the answers keep and let through, and nothing about any real model.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { orWrongUse, WrongUse } from '../options.mjs'
import { judge, wilson } from './lessons/judge.mjs'
import { carefulModel, gullibleModel, learnAll } from './lessons/learn.mjs'
import { readSessions } from './lessons/read-sessions.mjs'

const { values } = orWrongUse('npm run eval -- lessons', () =>
  parseArgs({
    options: {
      part: { type: 'string' },
      json: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  }),
)
const parts = /** @type {const} */ (['tuning', 'kept', 'fresh'])
orWrongUse('npm run eval -- lessons', () => {
  if (values.part !== undefined && !parts.some((part) => part === values.part))
    throw new WrongUse(`--part is tuning, kept or fresh, not ${values.part}`)
})

const ways = {
  'no model': {},
  'careful model': { model: carefulModel },
  'gullible model': { model: gullibleModel },
}

/** @type {Record<string, unknown>} */
const measured = {}
for (const part of parts.filter((each) => values.part === undefined || each === values.part)) {
  const projects = readSessions().filter((project) => project.part === part)
  for (const [by, options] of Object.entries(ways)) {
    const learned = await learnAll(projects, options)
    const judged = judge(projects, learned)
    measured[`${part}, ${by}`] = { ...judged.rows, tempting: judged.taken }
    report(`${part}, ${by}`, projects, judged)
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, null, 2)}\n`)

/** @param {string} title @param {readonly import('./lessons/read-sessions.mjs').Project[]} projects @param {ReturnType<typeof judge>} judged */
function report(title, projects, { rows, listed, taken }) {
  const sessions = projects.reduce((sum, project) => sum + project.sessions.length, 0)
  console.log(`\n${title}: ${sessions} sessions of ${projects.length} projects`)
  const all = { learned: 0, right: 0, worth: 0, known: 0 }
  for (const row of Object.values(rows)) for (const name of keysOf(all)) all[name] += row[name]
  console.log(`${''.padEnd(12)}${'learned'.padStart(9)}  ${'precision'.padEnd(24)}${'worth'.padStart(7)}  recall`)
  for (const [kind, row] of [
    ...Object.entries(rows).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    /** @type {const} */ (['all', all]),
  ])
    console.log(
      `${kind.padEnd(12)}${`${row.learned}`.padStart(9)}  ${shown(row.right, row.learned).padEnd(24)}${`${row.worth}`.padStart(7)}  ${shown(row.known, row.worth)}`,
    )
  console.log(`tempting things learned: ${taken.taken} of ${taken.of}`)
  if (values.list && title.startsWith('tuning')) for (const line of listed) console.log(`  ${line}`)
}

/** A share with its interval of 95 %. @param {number} some @param {number} all */
function shown(some, all) {
  if (all === 0) return '-'
  const { low, high } = wilson(some, all)
  return `${(some / all).toFixed(3)} (${low.toFixed(2)} to ${high.toFixed(2)})`
}

/** @template {object} T @param {T} value */
function keysOf(value) {
  return /** @type {(keyof T)[]} */ (Object.keys(value))
}
