#!/usr/bin/env node
// @ts-check
/**
 * What the relevance floor of recall costs and what it buys: answers that are still shown, beside questions without an
 * answer that stay without one. And what stands first where notes, what agents noted and what tools printed lie together.
 *
 *     npm run eval -- floor [--data DIR]... [--embedder default|none] [--seed N] [--json FILE]
 *
 * Each DIR is a labelled set as in `npm run eval -- recall`; one more is generated from the seed. Every set is asked as a whole and
 * as small stores cut from it, because small stores are what people have first.
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { openStaticEmbedder } from '../../packages/embedder-static/dist/index.js'
import { floors } from '../../packages/memory/dist/reader.js'
import { numberIn, orWrongUse, WrongUse } from '../options.mjs'
import { measureKinds } from './floor/kinds.mjs'
import { worldsOf } from './floor/worlds.mjs'
import { generatedSet } from './recall/generated-set.mjs'
import { openNoteStore } from './recall/note-store.mjs'
import { readLabelledSet } from '../../packages/cli/dist/eval/read-labelled-set.js'

const { values } = orWrongUse('npm run eval -- floor', () =>
  parseArgs({
    options: {
      data: { type: 'string', multiple: true, default: [] },
      embedder: { type: 'string', default: 'default' },
      seed: { type: 'string', default: '1' },
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

/** @typedef {{ kind: string, asked: number, off: number, mild: number, strict: number }} Row */

/** @type {Map<string, { asked: number, off: number, mild: number, strict: number }>} */
const counted = new Map()
const sets = await Promise.all(values.data.map((folder) => readLabelledSet(folder)))
for (const world of worldsOf(seed, sets)) {
  const store = await openNoteStore(world.corpus, {
    scratch: tmpdir(),
    ...(embedder === undefined ? {} : { embedder }),
  })
  for (const { text, gold, kind } of world.asked) {
    /** @param {'off' | 'mild' | 'strict'} floor */
    const shown = async (floor) =>
      (await store.memory.recall({ text, k: 10, floor })).results.map(({ key = '' }) => store.idOf(key))
    const all = await shown('off')
    const isAnswered = gold.length > 0
    // What the ranking does not find is none of the floor's doing.
    if (isAnswered && !all.some((id) => gold.includes(id ?? ''))) continue
    const row = counted.get(kind) ?? { asked: 0, off: 0, mild: 0, strict: 0 }
    row.asked += 1
    for (const floor of floors) {
      const ids = floor === 'off' ? all : await shown(floor)
      if (isAnswered ? ids.some((id) => gold.includes(id ?? '')) : ids.length === 0) row[floor] += 1
    }
    counted.set(kind, row)
  }
  await store.close()
}

/** @type {readonly Row[]} */
const rows = [...counted].map(([kind, row]) => ({ kind, ...row }))
console.log(`with ${embedder === undefined ? 'words alone' : embedder.name}, seed ${seed}\n`)
console.log(['', 'questions', ...floors].map((cell, i) => (i === 0 ? cell.padEnd(34) : cell.padStart(10))).join(''))
for (const row of rows) console.log(lineOf(row))
const kinds = await measureKinds(generatedSet(seed), embedder)
console.log(`\nfirst places where notes, agents' own lines and tool output lie together`)
for (const [name, { questions, mrr, recallAt5 }] of Object.entries(kinds))
  console.log(
    `${name.padEnd(34)}${String(questions).padStart(10)}   MRR ${mrr.toFixed(3)}   R@5 ${recallAt5.toFixed(3)}`,
  )
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ rows, kinds }, null, 2)}\n`)

/** @param {Row} row */
function lineOf({ kind, asked, ...row }) {
  const what = kind.startsWith('answer') ? `${kind}: still shown` : `no answer, ${kind}: silent`
  return [
    what.padEnd(34),
    String(asked).padStart(10),
    ...floors.map((floor) => (row[floor] / asked).toFixed(3).padStart(10)),
  ].join('')
}
