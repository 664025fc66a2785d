/** Writes a table file from vectors of any model: each row in eight bits with its own scale. */
import { tableFormat, tableMagic, tablePrefixBytes } from './static-table.ts'

/** What a table file is made from. */
export interface StaticTableContents {
  readonly model: string
  readonly licence: string
  /** Lower-case words, one row each. */
  readonly words: readonly string[]
  /** `words.length × columns` numbers, row after row. */
  readonly rows: Float64Array
  readonly columns: number
  /** How much each word counts in a mean, between 0 and 1. */
  readonly weights: Float64Array
  readonly hashed: { readonly dimensions: number; readonly weight: number }
}

/**
 * Writes a table file from the word vectors of any model, with eight bits for each number.
 *
 * @example
 * ```ts
 * import { encodeStaticTable } from '@agentm/embedder-static'
 *
 * const table = encodeStaticTable({
 *   model: 'tiny',
 *   licence: 'CC0-1.0',
 *   words: ['lock', 'vault'],
 *   rows: new Float64Array([1, 0, 0, 1]),
 *   columns: 2,
 *   weights: new Float64Array([1, 1]),
 *   hashed: { dimensions: 8, weight: 0.5 },
 * })
 * console.log(table.length > 16) // true
 * ```
 */
export function encodeStaticTable(contents: StaticTableContents): Uint8Array {
  requireSound(contents)
  const { model, licence, words, rows, columns, weights, hashed } = contents
  const encoder = new TextEncoder()
  const header = encoder.encode(JSON.stringify({ model, licence, words: words.length, columns, hashed }))
  const vocabulary = encoder.encode(words.map((word) => `${word}\n`).join(''))
  const scalesAt = tablePrefixBytes + header.length
  const weightsAt = scalesAt + words.length * 4
  const rowsAt = weightsAt + words.length * 4
  const vocabularyAt = rowsAt + rows.length

  const bytes = new Uint8Array(vocabularyAt + vocabulary.length)
  const view = new DataView(bytes.buffer)
  bytes.set(encoder.encode(tableMagic))
  view.setUint32(tableMagic.length, tableFormat, true)
  view.setUint32(tableMagic.length + 4, header.length, true)
  bytes.set(header, tablePrefixBytes)
  for (let word = 0; word < words.length; word++) {
    const row = rows.subarray(word * columns, (word + 1) * columns)
    const scale = row.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / 127
    view.setFloat32(scalesAt + word * 4, scale, true)
    view.setFloat32(weightsAt + word * 4, weights[word] ?? 0, true)
    for (const [i, x] of row.entries())
      view.setInt8(rowsAt + word * columns + i, scale === 0 ? 0 : Math.round(x / scale))
  }
  bytes.set(vocabulary, vocabularyAt)
  return bytes
}

function requireSound({ words, rows, columns, weights, hashed }: StaticTableContents): void {
  if (rows.length !== words.length * columns || weights.length !== words.length) {
    throw new TypeError(
      `${words.length} words × ${columns} columns do not match ${rows.length} numbers and ${weights.length} weights`,
    )
  }
  if (new Set(words).size !== words.length) throw new TypeError('a word stands in the table twice')
  const broken = words.find((word) => word === '' || word.includes('\n') || !word.isWellFormed())
  if (broken !== undefined) throw new TypeError(`${JSON.stringify(broken)} cannot be a word of the table`)
  if (!rows.every(Number.isFinite) || !weights.every(Number.isFinite))
    throw new TypeError('a row or weight is not finite')
  if (!(hashed.dimensions > 0 && hashed.weight > 0)) throw new TypeError('hashed features need dimensions and a weight')
}
