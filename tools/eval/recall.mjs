#!/usr/bin/env node
// @ts-check
/**
 * How well recall finds labelled notes, beside what one would use instead, all asked the same in one run.
 *
 *     npm run eval -- recall [--data DIR | --set NAME] [--half tuning|kept] [--json FILE] [--seed N]
 *
 * DIR is what `agentm eval recall` reads: our layout, BEIR, LoCoMo or LongMemEval; without it a set is generated from the seed.
 * NAME is `projects` (default), `paraphrased` (questions that share no word with their note), `dated` (questions that name a day), `languages` (sixteen of them, words in other forms), `code`
 * (names in code, asked of the documentation of three packages), `headings` (lines that only the heading above tells apart), `events`
 * (what was so before or after something) or `mistyped` (two errors in a long word). With --half, one half of its questions is asked.
 * Every question is asked of the whole corpus. `ours` is the engine as it is installed, over files of its own.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { codeSet } from './recall/code-set.mjs'
import { datedSet } from './recall/dated-set.mjs'
import { eventsSet } from './recall/events-set.mjs'
import { generatedSet } from './recall/generated-set.mjs'
import { headingsSet } from './recall/headings-set.mjs'
import { halfOf, halves } from './recall/half-of.mjs'
import { languageSet } from './recall/language-set.mjs'
import { measure } from './recall/measure.mjs'
import { mistypedSet } from './recall/mistyped-set.mjs'
import { paraphrasedSet } from './recall/paraphrased-set.mjs'
import { readLabelledSet } from '../../packages/cli/dist/eval/read-labelled-set.js'
import { table } from './recall/table.mjs'
import { bm25 } from './recall/systems/bm25.mjs'
import { fts5 } from './recall/systems/fts5.mjs'
import { grep } from './recall/systems/grep.mjs'
import { minisearch } from './recall/systems/minisearch.mjs'
import { ours } from './recall/systems/ours.mjs'
import { hasRipgrep, ripgrep } from './recall/systems/ripgrep.mjs'

/** @typedef {import('../../packages/cli/dist/eval/labelled-set.js').LabelledSet} LabelledSet */
/** @typedef {{ readonly rank: (text: string) => Promise<string[]> | string[], readonly close: () => Promise<void> | void }} Opened */
/** @typedef {{ readonly id: string, readonly open: (set: LabelledSet) => Promise<Opened> }} System */

const command = 'npm run eval -- recall'
const sets = {
  projects: generatedSet,
  paraphrased: paraphrasedHalf,
  dated: datedSet,
  languages: languageSet,
  code: codeSet,
  headings: headingsSet,
  events: eventsSet,
  mistyped: mistypedSet,
}
const { values } = orWrongUse(command, () =>
  parseArgs({
    options: {
      data: { type: 'string' },
      set: { type: 'string', default: 'projects' },
      half: { type: 'string', default: 'both' },
      json: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  }),
)
const seed = orWrongUse(command, () => {
  if (!Object.hasOwn(sets, values.set))
    throw new WrongUse(`--set is ${Object.keys(sets).join(', ')}, not ${values.set}`)
  if (!['both', ...halves].includes(values.half))
    throw new WrongUse(`--half is ${halves.join(' or ')}, not ${values.half}`)
  return numberIn('--seed', values.seed)
})

const set = values.set === 'paraphrased' ? paraphrasedHalf() : halfOf(await loadSet(), values.half)
console.log(`${set.name}: ${set.corpus.length} notes, ${set.queries.length} questions\n`)

/** @type {readonly System[]} */
const systems = [ours(), bm25, fts5, minisearch, grep, ...(hasRipgrep ? [ripgrep] : [])]
const results = []
for (const system of systems) results.push(await measure(system, set))

console.log(table(results))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ results }, null, 2)}\n`)

async function loadSet() {
  if (values.data === undefined) return sets[/** @type {keyof typeof sets} */ (values.set)](seed)
  try {
    return await readLabelledSet(values.data)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(2)
  }
}

/** Its halves share no note. */
function paraphrasedHalf() {
  return paraphrasedSet(values.half === 'both' ? 'all' : /** @type {'tuning' | 'kept'} */ (values.half))
}
