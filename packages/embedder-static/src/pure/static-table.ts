/**
 * The table file, read. All numbers are little-endian:
 *
 *     'static-table' · u32 format · u32 header length · header (JSON, UTF-8)
 *     f32 scale[words] · f32 weight[words] · i8 rows[words × columns] · vocabulary (UTF-8, one word per line)
 *
 * A word's vector is `row × scale`; in a mean it counts `weight`. Nothing here knows which model the rows came from.
 */
import { StaticTableError } from '../static-table-error.ts'
import { wordIndex, type WordIndex } from './word-index.ts'

export interface StaticTableHeader {
  /** Names the model in every stored vector: another model, another name. */
  readonly model: string
  readonly licence: string
  readonly words: number
  readonly columns: number
  /** Hashed features appended to every vector, and how much they count beside the table's part. */
  readonly hashed: { readonly dimensions: number; readonly weight: number }
}

export interface StaticTable {
  readonly header: StaticTableHeader
  readonly index: WordIndex
  readonly scale: Float32Array
  readonly weight: Float32Array
  readonly rows: Int8Array
}

const newline = 10

export const tableMagic = 'static-table'
export const tableFormat = 1
export const tablePrefixBytes = tableMagic.length + 8

export function parseStaticTable(bytes: Uint8Array): StaticTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { header, end } = parsePrefix(bytes, view)
  const { words, columns } = header
  const rowsAt = end + words * 8
  const vocabularyAt = rowsAt + words * columns
  if (vocabularyAt > bytes.byteLength) {
    throw damaged(`it ends after ${bytes.byteLength} bytes, but its rows alone need ${vocabularyAt}`)
  }
  // Counting the words takes as long as answering a question, so it is done only where the end of the file is not as it should be.
  const index = wordIndex(bytes.subarray(vocabularyAt))
  if (bytes.at(-1) !== newline || bytes.byteLength - vocabularyAt < 2 * words) {
    const found = index.size()
    if (found !== words) throw damaged(`its header promises ${words} words, its vocabulary has ${found}`)
  }
  return {
    header,
    index,
    scale: readFloats(view, end, words),
    weight: readFloats(view, end + words * 4, words),
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, words * columns),
  }
}

function parsePrefix(bytes: Uint8Array, view: DataView): { header: StaticTableHeader; end: number } {
  const magic = new TextDecoder().decode(bytes.subarray(0, tableMagic.length))
  if (magic !== tableMagic) throw new StaticTableError('foreign', 'This file is not a static word table.')
  if (bytes.byteLength < tablePrefixBytes) throw damaged('it ends inside its first line')
  const format = view.getUint32(tableMagic.length, true)
  if (format !== tableFormat) {
    throw new StaticTableError(
      'version',
      `This table has format ${format}; this version reads format ${tableFormat}. Update @agentm/embedder-static.`,
    )
  }
  const end = tablePrefixBytes + view.getUint32(tableMagic.length + 4, true)
  if (end > bytes.byteLength) throw damaged('it ends inside its header')
  return { header: parseHeader(new TextDecoder().decode(bytes.subarray(tablePrefixBytes, end))), end }
}

function parseHeader(text: string): StaticTableHeader {
  const header = parseJson(text)
  if (!isHeader(header)) throw damaged('its header lacks model, licence, words, columns or hashed')
  return header
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged('its header is not JSON', { cause: error })
  }
}

function isHeader(value: unknown): value is StaticTableHeader {
  if (!isRecord(value) || !isRecord(value['hashed'])) return false
  const { dimensions, weight } = value['hashed']
  return (
    typeof value['model'] === 'string' &&
    typeof value['licence'] === 'string' &&
    isCount(value['words']) &&
    isCount(value['columns']) &&
    isCount(dimensions) &&
    dimensions > 0 &&
    typeof weight === 'number' &&
    weight > 0
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function readFloats(view: DataView, at: number, count: number): Float32Array {
  const floats = isLittleEndian ? copyOf(view, at, count) : turned(view, at, count)
  // One sum instead of a check per number: anything that is not finite makes it so.
  let sum = 0
  for (const float of floats) sum += float
  if (!Number.isFinite(sum)) throw damaged(`a number after byte ${at} is not finite`)
  return floats
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

function copyOf({ buffer, byteOffset }: DataView, at: number, count: number): Float32Array {
  return new Float32Array(buffer.slice(byteOffset + at, byteOffset + at + count * 4))
}

function turned(view: DataView, at: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(at + i * 4, true))
}

function damaged(why: string, options?: ErrorOptions): StaticTableError {
  return new StaticTableError('damaged', `This word table is damaged: ${why}. Install it again.`, options)
}
