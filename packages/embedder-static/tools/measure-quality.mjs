#!/usr/bin/env node
// @ts-check
/** Prints how well a table finds paraphrases, beside hashed n-grams alone: `node tools/measure-quality.mjs [TABLE]` */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeStaticTable, openStaticEmbedder } from '../dist/index.js'

/** @type {{ anchor: string, paraphrase: string, distractor: string }[]} */
const triples = JSON.parse(readFileSync(new URL('../test/paraphrases.json', import.meta.url), 'utf8'))
const [, , table] = process.argv
const scratch = mkdtempSync(join(tmpdir(), 'static-quality-'))
try {
  console.log(`${triples.length} triples        R@1   MRR   beats a distractor that borrows the words`)
  await print('this table', await openStaticEmbedder(table === undefined ? {} : { table }))
  await print('hashing alone', await openStaticEmbedder({ table: wordlessTable() }))
} finally {
  rmSync(scratch, { recursive: true })
}

function wordlessTable() {
  const path = join(scratch, 'none.table')
  const [rows, weights] = [new Float64Array(), new Float64Array()]
  const hashed = { dimensions: 256, weight: 1 }
  writeFileSync(
    path,
    encodeStaticTable({ model: 'none', licence: 'none', words: [], rows, columns: 0, weights, hashed }),
  )
  return path
}

/** @param {string} label @param {import('../dist/index.js').Embedder} embedder */
async function print(label, embedder) {
  const anchors = await embedder.embed(triples.map(({ anchor }) => anchor))
  const paraphrases = await embedder.embed(triples.map(({ paraphrase }) => paraphrase))
  const distractors = await embedder.embed(triples.map(({ distractor }) => distractor))
  const ranks = anchors.map(
    (anchor, i) => paraphrases.filter((other) => dot(anchor, other) >= dot(anchor, paraphrases[i])).length,
  )
  const first = mean(ranks.map((rank) => (rank === 1 ? 1 : 0)))
  const reciprocal = mean(ranks.map((rank) => 1 / rank))
  const resists = mean(anchors.map((a, i) => (dot(a, paraphrases[i]) > dot(a, distractors[i]) ? 1 : 0)))
  console.log(`${label.padEnd(18)}  ${first}  ${reciprocal}  ${resists}`)
}

/** @param {number[]} numbers */
function mean(numbers) {
  return (numbers.reduce((sum, x) => sum + x, 0) / numbers.length).toFixed(2)
}

/** @param {Float32Array} a @param {Float32Array} b */
function dot(a, b) {
  return a.reduce((sum, x, i) => sum + x * b[i], 0)
}
