#!/usr/bin/env node
// @ts-check
/**
 * What a good embedder is worth to recall, with narrow cosines (.70 to .85) and with wide ones (0 to .6).
 *
 *     npm run eval -- embedders [--data DIR] [--weights 0.25,0.5] [--seed N]
 *
 * DIR is as for `npm run eval -- recall`. The embedders are simulated: they know the labels and make mistakes. The narrow and the wide one
 * are made of the same vectors. `raw` counts cosines as they are, a quarter of words; the other rows compare the cosines of
 * each question with each other. `poor` knows nothing: its rows show what a weight costs with a bad model.
 */
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { generatedSet } from './recall/generated-set.mjs'
import { measure } from './recall/measure.mjs'
import { readLabelledSet } from '../../packages/cli/dist/eval/read-labelled-set.js'
import { simulatedEmbedder } from './recall/simulated-embedder.mjs'
import { oursWith } from './recall/systems/ours.mjs'
import { table } from './recall/table.mjs'

const command = 'npm run eval -- embedders'
const { values } = orWrongUse(command, () =>
  parseArgs({
    options: {
      data: { type: 'string' },
      weights: { type: 'string', default: '0.25,0.5' },
      seed: { type: 'string', default: '1' },
    },
  }),
)
const { seed, weights } = orWrongUse(command, () => {
  const given = values.weights.split(',').map(Number)
  if (given.some((weight) => !(weight >= 0))) throw new WrongUse(`--weights are numbers from 0, not ${values.weights}`)
  return { seed: numberIn('--seed', values.seed), weights: given }
})
const set = values.data === undefined ? generatedSet(seed) : await readLabelledSet(values.data)
console.log(`${set.name}: ${set.corpus.length} notes, ${set.queries.length} questions\n`)

const kinds = /** @type {const} */ ([
  ['wide', { common: 0, skill: 1 }],
  ['narrow', { common: 0.7, skill: 1 }],
  ['poor', { common: 0.7, skill: 0 }],
])
const results = [await measure(oursWith('words', { scratch: tmpdir() }), set)]
for (const [name, made] of kinds)
  for (const weight of [undefined, ...weights]) {
    const make = async () => simulatedEmbedder(set, { ...made, weight })
    results.push(await measure(oursWith(`${name} ${weight ?? 'raw'}`, { make, scratch: tmpdir() }), set))
  }
console.log(table(results.map((result) => ({ ...result, byKind: {} }))))
