#!/usr/bin/env node
// @ts-check
/**
 * What the relevance floor of recall costs and what it buys: answers that are still shown, beside questions without an
 * answer that stay without one. And what stands first where notes, what agents noted and what tools printed lie together.
 *
 *     npm run eval -- floor [--data DIR]... [--embedder default|none] [--seed N] [--fit] [--json FILE]
 *
 * Each DIR is a labelled set as in `npm run eval -- recall`; one more is generated from the seed. Every set is asked as a whole and
 * as small stores cut from it, because small stores are what people have first. Vaults of 40, 300 and 2,000 developer notes are asked
 * ordinary prompts that no note answers, and prompts that one note answers.
 *
 * Half of all questions is for tuning. The tables are about the other half. With --fit, the weights of the evidence are fitted on the
 * half for tuning and printed as packages/memory/src/recall/pure/floor-weights.ts needs them; the tables are then about these weights.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openStaticEmbedder } from '../../packages/embedder-static/dist/index.js'
import { numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { fittedWeights, probabilityWith } from './floor/fit.mjs'
import { gather } from './floor/gather.mjs'
import { measureKinds } from './floor/kinds.mjs'
import { meanOf, reliabilityText, rowsOf, rowsText } from './floor/report.mjs'
import { vaultsOf } from './floor/vaults.mjs'
import { worldsOf } from './floor/worlds.mjs'
import { generatedSet } from './recall/generated-set.mjs'
import { readLabelledSet } from '../../packages/cli/dist/eval/read-labelled-set.js'

const { values } = orWrongUse('npm run eval -- floor', () =>
  parseArgs({
    options: {
      data: { type: 'string', multiple: true, default: [] },
      embedder: { type: 'string', default: 'default' },
      seed: { type: 'string', default: '1' },
      fit: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  }),
)
const seed = orWrongUse('npm run eval -- floor', () => {
  if (values.embedder !== 'default' && values.embedder !== 'none')
    throw new WrongUse(`--embedder is default or none, not ${values.embedder}`)
  return numberIn('--seed', values.seed)
})
const embedder = values.embedder === 'none' ? undefined : await openStaticEmbedder()

const sets = await Promise.all(values.data.map((folder) => readLabelledSet(folder)))
const worlds = [...vaultsOf(seed, 'tuning'), ...vaultsOf(seed, 'kept'), ...worldsOf(seed, sets)]
/** @type {import('./floor/gather.mjs').Asked[]} */
const gathered = []
for (const world of worlds) gathered.push(...(await gather(world, embedder)))

if (values.fit) {
  const weights = fittedWeights(gathered.filter(({ half }) => half === 'tuning'))
  console.log(`weights: ${JSON.stringify(weights)}\n`)
  report('the fitted weights', withWeights(weights))
} else {
  const rows = report(embedder === undefined ? 'words alone' : embedder.name, gathered)
  const kinds = await measureKinds(generatedSet(seed), embedder)
  console.log(`\nfirst places where notes, agents' own lines and tool output lie together`)
  for (const [name, { questions, mrr, recallAt5 }] of Object.entries(kinds))
    console.log(
      `${name.padEnd(40)}${String(questions).padStart(10)}   MRR ${mrr.toFixed(3)}   R@5 ${recallAt5.toFixed(3)}`,
    )
  const means = rows.map(({ what, questions, shares: { off, mild, strict } }) => {
    return { what, questions, off: meanOf(off), mild: meanOf(mild), strict: meanOf(strict) }
  })
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ rows: means, kinds }, null, 2)}\n`)
}

/** @param {string} what @param {readonly import('./floor/gather.mjs').Asked[]} all */
function report(what, all) {
  const kept = all.filter(({ half }) => half === 'kept')
  const rows = rowsOf(kept)
  console.log(`with ${what}, seed ${seed}\n`)
  console.log(rowsText(rows))
  console.log(`\n${reliabilityText(kept)}`)
  return rows
}

/** @param {Readonly<Record<string, number>>} weights */
function withWeights(weights) {
  return gathered.map(({ found, ...asked }) => {
    return { ...asked, found: found.map((one) => ({ ...one, probability: probabilityWith(weights, one.evidence) })) }
  })
}
