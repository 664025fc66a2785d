import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { readSession, type SessionCursor, type SessionSource } from '@agentm/transcripts'
import { corpus } from './mutations.ts'

const megabyte = 1024 * 1024
const size = 500 * megabyte

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** The memory in use after garbage collection. */
function held(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function largeFile(lines: readonly string[]) {
  const root = await mkdtemp(join(tmpdir(), 'transcripts-large-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const file = await open(join(root, 's1.jsonl'), 'w')
  const chunk = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  let records = 0
  for (let bytes = 0; bytes < size; bytes += chunk.length) {
    await file.write(chunk)
    records += lines.length
  }
  await file.close()
  return { root, records }
}

it.each(['claude-code', 'codex'] as const)(
  'reads 500 MB of %s in constant memory, and continues at its end',
  async (host) => {
    const { root, records } = await largeFile(await corpus(host))
    const source: SessionSource = { host, source: 's1.jsonl', session: 's1' }
    const options = { roots: { [host]: root } }
    const before = held()
    let most = 0
    let cursor: SessionCursor | undefined
    let read = 0
    let sampled = 0
    for await (const batch of readSession(source, options)) {
      read = batch.cursor.records
      cursor = batch.cursor
      if (batch.cursor.at.form === 'lines' && batch.cursor.at.offset - sampled > 25 * megabyte) {
        sampled = batch.cursor.at.offset
        most = Math.max(most, held() - before)
      }
    }
    console.log(
      `${host}: ${records} records, at most ${Math.round(most / megabyte)} MB more held, cursor of ${JSON.stringify(cursor).length} bytes`,
    )
    expect(read).toBe(records)
    expect(sampled).toBeGreaterThan(400 * megabyte)
    expect(most).toBeLessThan(32 * megabyte)
    expect(JSON.stringify(cursor).length).toBeLessThan(64 * 1024)
    for await (const batch of readSession(source, { ...options, cursor })) expect(batch.events).toEqual([])
  },
)

it('measures a line of 500 MB without holding it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'transcripts-large-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const file = await open(join(root, 's1.jsonl'), 'w')
  const chunk = Buffer.alloc(megabyte, 'x')
  for (let bytes = 0; bytes < size; bytes += megabyte) await file.write(chunk)
  await file.write('\n{"type":"prompt","text":"after it"}\n')
  await file.close()
  const before = process.memoryUsage().rss
  const events = []
  for await (const batch of readSession({ host: 'plain', source: 's1.jsonl' }, { roots: { plain: root } }))
    events.push(...batch.events)
  const more = process.memoryUsage().rss - before
  console.log(`one line of 500 MB: ${Math.round(more / megabyte)} MB more in memory`)
  expect(events).toMatchObject([
    { type: 'unknown', kind: 'too-long', length: size },
    { type: 'prompt', text: 'after it', record: 2 },
  ])
  expect(more).toBeLessThan(200 * megabyte)
})
