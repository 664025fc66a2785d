/**
 * One text as one unit vector: the weighted mean of its words' table rows, beside hashed features scaled by the table's
 * own weight. Each side is brought to unit length first, so that neither drowns the other in long texts.
 */
import { addRun, addWord } from './hashed-features.ts'
import type { StaticTable } from './static-table.ts'
import { withoutAccents, wordsOf, type Word } from './words.ts'

// A word that is not in the table is rarer than every word in it.
const unknownWeight = 1

export function embedText(table: StaticTable, text: string): Float32Array {
  const { columns, hashed } = table.header
  const meaning = new Float64Array(columns)
  const features = new Float64Array(hashed.dimensions)
  for (const word of wordsOf(text)) addToBoth(table, word, meaning, features)
  // Text without a word, or whose features cancel out: one fixed direction, so that a vector is always of unit length.
  if (isZero(features) && isZero(meaning)) features[0] = 1

  const vector = new Float64Array(columns + hashed.dimensions)
  vector.set(scaled(meaning, 1))
  vector.set(scaled(features, hashed.weight), columns)
  return Float32Array.from(scaled(vector, 1))
}

function addToBoth(table: StaticTable, word: Word, meaning: Float64Array, features: Float64Array): void {
  if (word.isUnspaced) return addRun(features, word.text, unknownWeight)
  const plain = withoutAccents(word.text)
  const row = table.index.find(word.text) ?? table.index.find(plain)
  if (row !== undefined) addRow(table, row, meaning)
  addWord(features, plain, row === undefined ? unknownWeight : (table.weight[row] ?? 0))
  // The parts of a known word would count its meaning twice.
  if (row === undefined) for (const part of word.parts) addPart(table, part, meaning, features)
}

function addPart(table: StaticTable, part: string, meaning: Float64Array, features: Float64Array): void {
  const row = table.index.find(part)
  if (row !== undefined) addRow(table, row, meaning)
  addWord(features, withoutAccents(part), row === undefined ? unknownWeight : (table.weight[row] ?? 0))
}

function addRow(table: StaticTable, row: number, meaning: Float64Array): void {
  const factor = (table.scale[row] ?? 0) * (table.weight[row] ?? 0)
  const start = row * meaning.length
  for (let i = 0; i < meaning.length; i++) meaning[i] = (meaning[i] ?? 0) + factor * (table.rows[start + i] ?? 0)
}

function scaled(vector: Float64Array, length: number): Float64Array {
  const factor = length / Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
  return Number.isFinite(factor) ? vector.map((x) => x * factor) : vector
}

function isZero(vector: Float64Array): boolean {
  return vector.every((x) => x === 0)
}
