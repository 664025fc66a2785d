/**
 * Many entries in one blob, column by column, so that a cold process reads one blob instead of one row for each. The blob is a copy that
 * can be made again. A blob that was changed is not read, and entries that do not fit the format are not packed.
 *
 * Format: 32 bytes of SHA-256 of everything that follows; u32 length of the header, padded to 8 bytes; the header as JSON, padded to 8
 * bytes; keys, then columns of numbers, as f64; the end of each text, as u32; the texts, column by column, in UTF-8.
 */
import { createHash } from 'node:crypto'
import type { Payload, RecallEntry } from '@agentm/nodes'

export interface PackedRow {
  readonly key: number
  readonly id: string
  readonly source: string
  readonly partition: string
  readonly data: Payload
}

type Form = 'text' | 'number' | 'json'

interface Header {
  readonly form: number
  readonly stamp: string
  readonly count: number
  readonly columns: readonly (readonly [name: string, form: Form])[]
}

const hashBytes = 32
const headerAt = hashBytes + 8
/** Numbers are in the byte order of this processor. A processor with another byte order does not read the blob. */
const ownForm = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0x0100_0000
// Data with more columns is not a table, and a longer text does not fit into one string.
const mostColumns = 64
const mostTextBytes = 2 ** 28
const absent = '\0'

/** Packs entries; `undefined` if they do not fit the format. `stamp` identifies their source, and the same stamp is needed to read them. */
export function packEntries(rows: readonly PackedRow[], stamp: string): Uint8Array | undefined {
  const columns = columnsOf(rows)
  if (columns === undefined) return undefined
  const numbers = columns.filter(([, form]) => form === 'number').map(([name]) => rows.map(({ data }) => data[name]))
  const texts = [
    ...(['id', 'source', 'partition'] as const).map((name) => rows.map((row) => row[name])),
    ...columns
      .filter(([, form]) => form !== 'number')
      .map(([name, form]) => rows.map((row) => textOf(row, name, form))),
  ].flat()
  const text = texts.join('')
  const bytes = Buffer.from(text)
  if (!text.isWellFormed() || bytes.length > mostTextBytes) return undefined
  const header = Buffer.from(JSON.stringify({ form: ownForm, stamp, count: rows.length, columns } satisfies Header))
  const at = placesOf(header.length, rows.length, columns)
  const blob = Buffer.alloc(at.text + bytes.length)
  blob.writeUInt32LE(header.length, hashBytes)
  blob.set(header, headerAt)
  const allNumbers = Float64Array.from([rows.map(({ key }) => key), ...numbers].flat(), Number)
  blob.set(new Uint8Array(allNumbers.buffer), at.numbers)
  let end = 0
  blob.set(new Uint8Array(Uint32Array.from(texts, ({ length }) => (end += length)).buffer), at.ends)
  blob.set(bytes, at.text)
  blob.set(hashOf(blob), 0)
  return blob
}

/** The entries by key; `undefined` if the blob is damaged, in another format, or has another stamp. */
export function unpackEntries(
  blob: Uint8Array,
  { stamp, concept }: { readonly stamp: string; readonly concept: string },
): Map<number, RecallEntry> | undefined {
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength)
  if (bytes.length < headerAt || !hashOf(bytes).equals(bytes.subarray(0, hashBytes))) return undefined
  const headerLength = bytes.readUInt32LE(hashBytes)
  const header = JSON.parse(bytes.toString('utf8', headerAt, headerAt + headerLength)) as Header
  const isOwn = header.form === ownForm && header.stamp === stamp
  return isOwn ? entriesFrom(bytes, header, { headerLength, concept }) : undefined
}

function entriesFrom(
  bytes: Buffer,
  { count, columns }: Header,
  { headerLength, concept }: { readonly headerLength: number; readonly concept: string },
): Map<number, RecallEntry> {
  const at = placesOf(headerLength, count, columns)
  const slice = (from: number, size: number) =>
    bytes.buffer.slice(bytes.byteOffset + from, bytes.byteOffset + from + size) as ArrayBuffer
  const numbers = new Float64Array(slice(at.numbers, at.ends - at.numbers))
  const ends = new Uint32Array(slice(at.ends, at.text - at.ends))
  const part = bytes.subarray(at.text)
  // If there is one byte per character, the text is ASCII, and `latin1` decodes it faster.
  const text = part.toString(part.length === (ends.at(-1) ?? 0) ? 'latin1' : 'utf8')
  let [numbered, written] = [1, 0]
  const next = () => textColumn(text, ends, count * written++)
  const [id, source, partition] = [next(), next(), next()]
  const fields = columns.map(([name, form]) => {
    if (form !== 'number') return { name, read: form === 'text' ? next() : parsed(next()) }
    const from = count * numbered++
    return { name, read: (i: number) => numbers[from + i] }
  })
  const entries = new Map<number, RecallEntry>()
  for (let i = 0; i < count; i++) {
    const data: Record<string, unknown> = {}
    for (const { name, read } of fields) {
      const value = read(i)
      if (value !== undefined) data[name] = value
    }
    entries.set(numbers[i] ?? 0, {
      id: id(i) ?? '',
      source: source(i) ?? '',
      concept,
      partition: partition(i) ?? '',
      data,
    })
  }
  return entries
}

type Read = (row: number) => string | undefined

function textColumn(text: string, ends: Uint32Array, from: number): Read {
  return (row) => {
    const at = from + row
    const found = text.slice(at === 0 ? 0 : ends[at - 1], ends[at])
    return found === absent ? undefined : found
  }
}

/** Caches the last parsed value, because neighbouring values are often equal, such as empty lists. */
function parsed(read: Read): (row: number) => unknown {
  let [last, value]: [string, unknown] = ['null', null]
  return (row) => {
    const text = read(row)
    if (text === undefined) return undefined
    if (text !== last) [last, value] = [text, JSON.parse(text)]
    return value
  }
}

function columnsOf(rows: readonly PackedRow[]): Header['columns'] | undefined {
  const forms = new Map<string, Form>()
  for (const { data } of rows)
    for (const [name, value] of Object.entries(data)) {
      const form =
        typeof value === 'string' && !value.includes(absent) ? 'text' : typeof value === 'number' ? 'number' : 'json'
      const known = forms.get(name)
      forms.set(name, known === undefined || known === form ? form : 'json')
    }
  // Assigning to `__proto__` would not create a field.
  if (forms.has('__proto__') || forms.size > mostColumns) return undefined
  return [...forms].map(([name, form]) => [
    name,
    form === 'number' && rows.some(({ data }) => !Object.hasOwn(data, name)) ? 'json' : form,
  ])
}

function textOf({ data }: PackedRow, name: string, form: Form): string {
  if (!Object.hasOwn(data, name)) return absent
  return form === 'json' ? JSON.stringify(data[name]) : String(data[name])
}

function placesOf(header: number, count: number, columns: Header['columns']) {
  const numbered = columns.filter(([, form]) => form === 'number').length
  const numbers = Math.ceil((headerAt + header) / 8) * 8
  const ends = numbers + 8 * count * (1 + numbered)
  return { numbers, ends, text: ends + 4 * count * (3 + columns.length - numbered) }
}

function hashOf(blob: Uint8Array): Buffer {
  return createHash('sha256').update(blob.subarray(hashBytes)).digest()
}
