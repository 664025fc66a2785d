/** What is sent in the binary form of an array arrives as the server itself would have read it. */
import fc from 'fast-check'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { arrayBytes } from '../src/pure/array-bytes.ts'
import { columns } from '../src/pure/columns.ts'
import { ownServer } from './own-server.ts'

const server = ownServer()

async function client(): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: server().url })
  await connected.connect()
  onTestFinished(async () => connected.end())
  return connected
}

/** As text, so that how the client reads arrays plays no part. */
async function arrived(on: pg.Client, type: string, bytes: Buffer): Promise<readonly (string | null)[]> {
  const { rows } = await on.query(
    `select u.value::text from unnest($1::${type}[]) with ordinality u (value, n) order by n`,
    [bytes],
  )
  return rows.map(({ value }) => value)
}

test('every type arrives as it was', async () => {
  const on = await client()
  const texts = ['', 'NULL', '{"a":"b,c\\\\"}', 'Zürich', '漢字', '🦉 at night', ' spaced ', '\n\t', null]
  expect(await arrived(on, 'text', arrayBytes(texts, 'text'))).toEqual(texts)
  expect(await arrived(on, 'text', arrayBytes(['a', undefined], 'text'))).toEqual(['a', null])
  expect(await arrived(on, 'boolean', arrayBytes([true, null, false], 'boolean'))).toEqual(['true', null, 'false'])
  const small = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), null]
  expect(await arrived(on, 'integer', arrayBytes(small, 'integer'))).toEqual(
    small.map((each) => each?.toString() ?? null),
  )
  const big = [0, -1, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 32), -(2 ** 32) - 1, 8.64e15, -8.64e15]
  const safe = [...big, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null]
  expect(await arrived(on, 'bigint', arrayBytes(safe, 'bigint'))).toEqual(safe.map((each) => each?.toString() ?? null))
  expect(await arrived(on, 'float8', arrayBytes([0.1, -2.5, Infinity, null], 'float8'))).toEqual([
    '0.1',
    '-2.5',
    'Infinity',
    null,
  ])
  expect(await arrived(on, 'bytea', arrayBytes([Buffer.from([0, 255]), Buffer.of(), null], 'bytea'))).toEqual([
    String.raw`\x00ff`,
    String.raw`\x`,
    null,
  ])
})

test('an array without elements has none', async () => {
  expect(await arrived(await client(), 'text', arrayBytes([], 'text'))).toEqual([])
})

test('a number that does not fit is refused before it is sent', () => {
  expect(() => arrayBytes([2 ** 31], 'integer')).toThrow(RangeError)
  expect(() => arrayBytes([2 ** 64], 'bigint')).toThrow(RangeError)
})

test('whatever text and time there is comes back', async () => {
  const on = await client()
  const texts = fc.array(fc.option(fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))))
  const times = fc.array(fc.option(fc.maxSafeInteger()))
  await fc.assert(
    fc.asyncProperty(texts, times, async (words, numbers) => {
      expect(await arrived(on, 'text', arrayBytes(words, 'text'))).toEqual(words)
      const printed = numbers.map((each) => each?.toString() ?? null)
      expect(await arrived(on, 'bigint', arrayBytes(numbers, 'bigint'))).toEqual(printed)
    }),
    { numRuns: 50 },
  )
})

test('a column that says nothing is no array', () => {
  const rows = [{ id: 'a', parent: undefined }]
  const made = columns(rows, ['text', ({ id }) => id], ['text', ({ parent }) => parent])
  expect(made).toEqual([arrayBytes(['a'], 'text'), null])
  expect(columns([], ['text', () => 'never'])).toEqual([null])
})
