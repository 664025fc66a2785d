import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { parseTranscript, readSession, type SessionSource } from '@agentm/transcripts'
import { readAll } from './samples.ts'

const directories: string[] = []
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true })
})

async function setup(text = '') {
  const root = await mkdtemp(join(tmpdir(), 'transcripts-'))
  directories.push(root)
  const file = join(root, 's1.jsonl')
  await writeFile(file, text)
  const source: SessionSource = { host: 'plain', source: 's1.jsonl', session: 's1' }
  return { file, source, options: { roots: { plain: root }, env: {}, home: root } }
}

const prompt = (text: string) => `${JSON.stringify({ type: 'prompt', text })}\n`
const texts = (events: readonly object[]) => events.map((event) => ('text' in event ? event.text : undefined))

it('reads only what was appended since the cursor, and numbers it on', async () => {
  const { file, source, options } = await setup(prompt('one') + prompt('two'))
  const first = await readAll(source, options)
  await appendFile(file, prompt('three'))
  const second = await readAll(source, { ...options, cursor: first.cursor })
  expect(texts(first.events)).toEqual(['one', 'two'])
  expect(second.events).toMatchObject([{ text: 'three', record: 3 }])
  expect(second.restarted).toBe(false)
})

it('gives no batch if nothing was added', async () => {
  const { source, options } = await setup(prompt('one'))
  const { cursor } = await readAll(source, options)
  const again = await readAll(source, { ...options, cursor })
  expect(again).toEqual({ events: [], cursor, restarted: false })
})

it('leaves a half-written last line for the next read, also one that is cut inside a character', async () => {
  const line = Buffer.from(prompt('naïve 🦉 owl'))
  for (let cut = 1; cut < line.length - 2; cut += 1) {
    const { file, source, options } = await setup(prompt('one'))
    await appendFile(file, line.subarray(0, cut))
    const first = await readAll(source, options)
    await appendFile(file, line.subarray(cut))
    const second = await readAll(source, { ...options, cursor: first.cursor })
    expect({ cut, texts: texts([...first.events, ...second.events]) }).toEqual({ cut, texts: ['one', 'naïve 🦉 owl'] })
  }
})

it('reads a whole last line without its newline, once', async () => {
  const { file, source, options } = await setup(prompt('one') + prompt('two').trimEnd())
  const first = await readAll(source, options)
  await appendFile(file, `\n${prompt('three')}`)
  const second = await readAll(source, { ...options, cursor: first.cursor })
  expect(texts(first.events)).toEqual(['one', 'two'])
  expect(second.events).toMatchObject([{ text: 'three', record: 3 }])
})

it('starts anew if what looked like a whole last line continues', async () => {
  const { file, source, options } = await setup(prompt('one') + prompt('two').trimEnd())
  const { cursor } = await readAll(source, options)
  await appendFile(file, prompt('three'))
  const after = await readAll(source, { ...options, cursor })
  expect(after.restarted).toBe(true)
  expect(after.events).toMatchObject([{ text: 'one' }, { record: 2, type: 'unknown', kind: 'not-an-object' }])
})

it('starts anew if the file was truncated', async () => {
  const { file, source, options } = await setup(prompt('one') + prompt('two'))
  const { cursor } = await readAll(source, options)
  await truncate(file, prompt('one').length)
  const after = await readAll(source, { ...options, cursor })
  expect(after).toMatchObject({ restarted: true, events: [{ text: 'one', record: 1 }] })
})

it('starts anew if the file was truncated to nothing, and says so although there are no events', async () => {
  const { file, source, options } = await setup(prompt('one'))
  const { cursor } = await readAll(source, options)
  await truncate(file, 0)
  expect(await readAll(source, { ...options, cursor })).toMatchObject({ restarted: true, events: [] })
})

it('starts anew if another file stands in its place, even a longer one with the same beginning', async () => {
  const { file, source, options } = await setup(prompt('one') + prompt('two'))
  const { cursor } = await readAll(source, options)
  await writeFile(
    `${file}.new`,
    prompt('one') + prompt('2') + prompt('three, which is longer than what was there before'),
  )
  await rename(`${file}.new`, file)
  const after = await readAll(source, { ...options, cursor })
  expect(after.restarted).toBe(true)
  expect(after.events.map(({ record }) => record)).toEqual([1, 2, 3])
})

it('continues in a copy with the same content', async () => {
  const { file, source, options } = await setup(prompt('one'))
  const { cursor } = await readAll(source, options)
  await writeFile(`${file}.new`, prompt('one') + prompt('two'))
  await rename(`${file}.new`, file)
  expect(await readAll(source, { ...options, cursor })).toMatchObject({ restarted: false, events: [{ text: 'two' }] })
})

it('measures a line that is too long instead of reading it, and reads on behind it', async () => {
  const long = prompt('x'.repeat(5000))
  const { source, options } = await setup(prompt('one') + long + prompt('two'))
  const { events } = await readAll(source, { ...options, maxRecordBytes: 1000 })
  expect(events).toMatchObject([
    { record: 1, text: 'one' },
    { record: 2, type: 'unknown', kind: 'too-long', length: long.length - 1 },
    { record: 3, text: 'two' },
  ])
})

it('gives two readers at once the same events', async () => {
  const { source, options } = await setup(Array.from({ length: 3000 }, (_, index) => prompt(`p${index}`)).join(''))
  const [one, two] = await Promise.all([readAll(source, options), readAll(source, options)])
  expect(one).toEqual(two)
  expect(one.events).toHaveLength(3000)
})

it('gives each of two readers every event once while somebody writes in pieces that end anywhere', async () => {
  const { file, source, options } = await setup()
  const bytes = Buffer.from(Array.from({ length: 400 }, (_, index) => prompt(`naïve ${index} 🦉`)).join(''))
  let isWritten = false
  const write = async () => {
    for (let at = 0; at < bytes.length; at += 37) await appendFile(file, bytes.subarray(at, at + 37))
    isWritten = true
  }
  const follow = async () => {
    const events = []
    let cursor
    for (let isLast = false; !isLast;) {
      isLast = isWritten
      const read = await readAll(source, { ...options, cursor })
      events.push(...read.events)
      cursor = read.cursor
      expect(read.restarted).toBe(false)
    }
    return events
  }
  const [, one, two] = await Promise.all([write(), follow(), follow()])
  expect(one.map(({ record }) => record)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1))
  expect(two).toEqual(one)
})

it('gives the same events in several batches as at once, from every cursor on the way', async () => {
  const text = Array.from({ length: 2500 }, (_, index) => prompt(`p${index}`)).join('')
  const { source, options } = await setup(text)
  const whole = parseTranscript('plain', text, { session: 's1' })
  const cursors = []
  let read = 0
  for await (const batch of readSession(source, options)) {
    read += batch.events.length
    cursors.push({ read, cursor: batch.cursor })
  }
  expect(cursors.length).toBeGreaterThan(1)
  for (const { read: before, cursor } of cursors) {
    const rest = await readAll(source, { ...options, cursor })
    expect(rest.events).toEqual(whole.slice(before))
  }
})

it('says which session is absent', async () => {
  const { options } = await setup()
  const source: SessionSource = { host: 'plain', source: 'gone.jsonl' }
  await expect(readAll(source, options)).rejects.toMatchObject({
    code: 'SESSION_ABSENT',
    host: 'plain',
    source: 'gone.jsonl',
  })
})

it('reads nothing outside the data directory', async () => {
  const { options } = await setup()
  const source: SessionSource = { host: 'plain', source: '../s1.jsonl' }
  await expect(readAll(source, options)).rejects.toMatchObject({ code: 'SESSION_ABSENT' })
})

it('refuses the cursor of another session', async () => {
  const { source, options } = await setup(prompt('one'))
  const { cursor } = await readAll(source, options)
  const other: SessionSource = { host: 'plain', source: 's2.jsonl' }
  await expect(readAll(other, { ...options, cursor })).rejects.toMatchObject({ code: 'CURSOR_REFUSED' })
})

it('stops when it is aborted', async () => {
  const { source, options } = await setup(prompt('one'))
  await expect(readAll(source, { ...options, signal: AbortSignal.abort() })).rejects.toThrow('aborted')
})
