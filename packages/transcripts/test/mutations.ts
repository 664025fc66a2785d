/** Transcripts that no client wrote: the samples with records cut, changed, doubled, lost, and from the future. Seeded, so that each can be made again. */
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { TranscriptHost } from '@agentm/transcripts'
import { generated } from './generated-records.ts'

export type Random = () => number

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The lines of all samples of a host, and generated ones of the shapes that the samples lack. */
export async function corpus(host: TranscriptHost): Promise<readonly string[]> {
  const made = generated[host].map((record) => JSON.stringify(record))
  if (host === 'plain') return made
  if (host === 'opencode') return [...made, ...(await opencodeRecords())]
  const root = fileURLToPath(new URL(`samples/${host}`, import.meta.url))
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.jsonl')).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(`${root}/${name}`, 'utf8')))
  return [...texts.flatMap((text) => text.split('\n').filter((line) => line !== '')), ...made]
}

async function opencodeRecords(): Promise<readonly string[]> {
  const text = await readFile(new URL('samples/opencode/rows.json', import.meta.url), 'utf8')
  const rows = JSON.parse(text) as Record<
    'message' | 'part',
    readonly { id: string; data: string; message_id?: string }[]
  >
  const messages = rows.message.map(({ id, data }) => ({ ...(JSON.parse(data) as object), id }))
  const parts = rows.part.map(({ data, message_id: of }) => ({
    message: messages.find(({ id }) => id === of),
    part: JSON.parse(data) as object,
  }))
  return [...parts, ...messages.map((message) => ({ message }))].map((record) => JSON.stringify(record))
}

/** Some lines of a corpus in order, with one of them mutated, and sometimes several. */
export function mutated(lines: readonly string[], random: Random): readonly string[] {
  const from = Math.floor(random() * lines.length)
  const taken = lines.slice(from, from + 2 + Math.floor(random() * 12))
  const count = random() < 0.8 ? 1 : 4
  for (let turn = 0; turn < count; turn += 1) mutate(taken, random)
  return taken
}

function mutate(lines: string[], random: Random): void {
  const at = Math.floor(random() * lines.length)
  const line = lines[at] ?? ''
  const kind = Math.floor(random() * 10)
  if (kind === 0) lines[at] = line.slice(0, Math.floor(random() * line.length))
  else if (kind === 1) lines.splice(at, 1)
  else if (kind === 2) lines.splice(at, 0, line)
  else if (kind === 3) lines.splice(at, 2, line + (lines[at + 1] ?? ''))
  else if (kind === 4) lines[at] = pick(garbage, random)
  else lines[at] = changed(line, random)
}

const garbage = [
  '',
  '   ',
  'null',
  '[]',
  '0',
  '"text"',
  '{',
  '}{',
  '\u0000',
  '\uFFFD\uFFFD',
  '{"type":',
  '{}',
  '{"type":null}',
  '\r',
  '[{"type":"user"}]',
]

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** One value somewhere in the record is another one. */
function changed(line: string, random: Random): string {
  let record: Json
  try {
    record = JSON.parse(line) as Json
  } catch {
    return line
  }
  const places = placesOf(record)
  const place = pick(places, random)
  if (place === undefined) return line
  const { holder, key } = place
  const kind = Math.floor(random() * 4)
  if (kind === 0) Reflect.deleteProperty(holder, key)
  else if (kind === 1) Reflect.set(holder, `${key}_future`, { kind: 'future', list: [1, 2] })
  else Reflect.set(holder, key, other(random))
  return JSON.stringify(record)
}

interface Place {
  readonly holder: object
  readonly key: string
}

function placesOf(value: Json): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesOf(inner)])
}

function other(random: Random): unknown {
  const values: readonly (() => unknown)[] = [
    () => null,
    () => '',
    () => 0,
    () => -1,
    () => 1e308,
    () => true,
    () => [],
    () => ({}),
    () => [null, 1, 'text', [[]], { type: 'text' }],
    () => 'x'.repeat(100_000),
    () => nested(500),
    () => '__proto__',
    () => 'constructor',
    () => ({ ['__proto__']: { type: 'user' }, constructor: 1 }),
    () => JSON.parse('{"__proto__":{"type":"text","text":"inherited"}}') as unknown,
    () => 'kind-of-the-future',
    () => '\uD800 half a pair',
    () => '2026-13-45T99:99:99Z',
    () => Array.from({ length: 3000 }, (_, index) => ({ type: 'text', text: String(index) })),
  ]
  return pick(values, random)()
}

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { content: value }
  return value
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T
}
