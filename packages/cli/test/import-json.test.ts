import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { jsonArray } from '../src/imports/json-array.ts'
import { jsonLines } from '../src/imports/json-lines.ts'

async function file(name: string, content: string | Buffer): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agentm-json-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const at = path.join(folder, name)
  await writeFile(at, content)
  return at
}

async function valuesOf(items: AsyncIterable<{ readonly value: unknown }>): Promise<readonly unknown[]> {
  const values: unknown[] = []
  for await (const { value } of items) values.push(value)
  return values
}

// Brackets, quotes and backslashes in texts, and characters of several bytes, at every place of a chunk.
const odd = Array.from({ length: 4000 }, (_, i) => ({
  text: `${'é'.repeat(i % 400)}"],[{\\"🙂${'x'.repeat(i)}`,
  n: [i, [i]],
}))

it('gives the items of a list of several megabytes as JSON.parse does', async () => {
  const values = await valuesOf(jsonArray(await file('a.json', `\uFEFF \n${JSON.stringify(odd, undefined, 1)}\n`)))
  expect(values).toEqual(odd)
})

it('gives the items of small lists, and of empty ones', async () => {
  for (const list of [[], [1], ['a,]', null, true, []], [{}]])
    expect(await valuesOf(jsonArray(await file('a.json', JSON.stringify(list))))).toEqual(list)
  expect(await valuesOf(jsonArray(await file('a.json', '[ \n ]')))).toEqual([])
})

it.each(['[1,]', '[,1]', '[1 2]', '[1', '1', '', '[1]]', '["a]', '[{]', '{"a":1}'])('refuses %j', async (text) => {
  await expect(valuesOf(jsonArray(await file('a.json', text)))).rejects.toMatchObject({ code: 'IMPORT_FILE' })
})

it('gives the lines of a file, also of a compressed one', async () => {
  const text = odd.map((each) => JSON.stringify(each)).join('\r\n\n')
  expect(await valuesOf(jsonLines(await file('a.jsonl', text)))).toEqual(odd)
  expect(await valuesOf(jsonLines(await file('a.jsonl.gz', gzipSync(text))))).toEqual(odd)
  await expect(valuesOf(jsonLines(await file('a.jsonl.gz', 'no archive')))).rejects.toMatchObject({
    code: 'IMPORT_FILE',
  })
})
