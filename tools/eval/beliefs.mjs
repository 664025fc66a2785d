#!/usr/bin/env node
// @ts-check
/**
 * What consolidation makes of months of plans: how many beliefs nobody needs, how much of what is worth knowing is known, whether a
 * change takes the place of what it changed, and how often a model is asked.
 *
 *     npm run eval -- beliefs [--plans N] [--seed N] [--part a|b|c] [--embedder default|none] [--json FILE] [--list]
 *
 * The plans are generated from a seed. Part `c` of their sentences was written after the rules, and changed none of them. With
 * `--list`, every belief is printed with what it is.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openStaticEmbedder } from '../../packages/embedder-static/dist/index.js'
import { numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { learnAll } from './beliefs/learn.mjs'
import { judge } from './beliefs/judge.mjs'
import { idealModel } from './beliefs/ideal-model.mjs'
import { learningWorld } from './beliefs/world.mjs'

const command = 'npm run eval -- beliefs'
const { values } = orWrongUse(command, () =>
  parseArgs({
    options: {
      plans: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
      part: { type: 'string' },
      embedder: { type: 'string', default: 'default' },
      json: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  }),
)
const [plans, seed] = orWrongUse(command, () => {
  if (values.embedder !== 'default' && values.embedder !== 'none')
    throw new WrongUse(`--embedder is default or none, not ${values.embedder}`)
  if (values.part !== undefined && !['a', 'b', 'c'].includes(values.part))
    throw new WrongUse(`--part is a, b or c, not ${values.part}`)
  return [numberIn('--plans', values.plans), numberIn('--seed', values.seed)]
})
const part = /** @type {'a' | 'b' | 'c' | undefined} */ (values.part)
const embedder = values.embedder === 'none' ? undefined : await openStaticEmbedder()

/** @type {Record<string, ReturnType<typeof judge>['figures']>} */
const measured = {}
for (const each of part === undefined ? /** @type {const} */ (['a', 'b', 'c']) : [part])
  for (const by of ['no model', 'ideal model']) {
    const world = learningWorld({ seed, plans, part: each })
    const model = by === 'no model' ? undefined : idealModel(world)
    const { beliefs, calls } = await learnAll(world, { ...(embedder && { embedder }), ...(model && { model }) })
    const { figures, listed } = judge(world, beliefs)
    measured[`part ${each}, ${by}`] = { ...figures, calls }
    if (values.list) for (const line of listed) console.log(`part ${each}, ${by}: ${line}`)
  }
console.log(`${plans} plans, seed ${seed}, ${embedder === undefined ? 'words alone' : embedder.name}\n`)
const names = Object.keys(Object.values(measured)[0] ?? {})
console.log(['', ...names].map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(12))).join(''))
for (const [name, row] of Object.entries(measured))
  console.log(
    name.padEnd(22) +
      Object.values(row)
        .map((figure) => shown(figure).padStart(12))
        .join(''),
  )
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, null, 2)}\n`)

/** @param {number} figure */
function shown(figure) {
  return Number.isInteger(figure) ? `${figure}` : `${(figure * 100).toFixed(1)} %`
}
