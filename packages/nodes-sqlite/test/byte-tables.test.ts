/** `ByteTables` in memory and in a file: what a package that lays out its own rows relies on. */
import { createInMemoryTables } from '@agentm/conformance/logs'
import type { ByteTables } from '@agentm/nodes/store-kit'
import { openSqliteTables } from '@agentm/nodes-sqlite/tables'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (found: Uint8Array | undefined) => (found === undefined ? undefined : new TextDecoder().decode(found))

const isWindows = process.platform === 'win32'

async function place(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-tables-'))
  onTestFinished(async () => {
    // The SQLite of Node 20 closes a damaged file late, and Windows deletes no open file.
    await rm(directory, { recursive: true, force: true }).catch((error: unknown) => {
      if (!isWindows) throw error
    })
  })
  return path.join(directory, 'notes.db')
}

async function opened(file: string, options: { readonly readOnly?: boolean } = {}): Promise<ByteTables> {
  const tables = await openSqliteTables({ path: file, ...options })
  onTestFinished(() => tables.close())
  return tables
}

describe.each([
  ['in memory', async () => createInMemoryTables()],
  ['in a file', async () => opened(await place())],
])('tables of bytes %s', (_, open) => {
  test('keep rows by table and number, in order, each space for itself', async () => {
    const tables = await open()
    await tables.write('a', (rows) => {
      for (const row of [7, 2 ** 52, 3, 0]) rows.put('notes', row, bytes(`row ${row}`))
      rows.put('terms', 3, bytes('of terms'))
    })
    await tables.write('b', (rows) => rows.put('notes', 3, bytes('of b')))
    tables.read('a', (rows) => {
      expect(rows.numbers('notes')).toEqual([0, 3, 7, 2 ** 52])
      expect(Array.from(rows.range('notes', 3, 8), ([row, found]) => [row, text(found)])).toEqual([
        [3, 'row 3'],
        [7, 'row 7'],
      ])
      expect([text(rows.get('terms', 3)), rows.get('terms', 4), rows.get('absent', 1)]).toEqual([
        'of terms',
        undefined,
        undefined,
      ])
    })
    await tables.write('a', (rows) => {
      rows.delete('notes', 3)
      rows.delete('notes', 5, 2 ** 52)
      rows.put('notes', 0, bytes('again'))
    })
    expect(tables.read('a', (rows) => rows.numbers('notes'))).toEqual([0, 2 ** 52])
    expect(tables.read('a', (rows) => text(rows.get('notes', 0)))).toBe('again')
    await tables.write('a', (rows) => rows.clear())
    expect(tables.read('a', (rows) => [rows.numbers('notes'), rows.get('terms', 3)])).toEqual([[], undefined])
    expect(tables.read('b', (rows) => text(rows.get('notes', 3)))).toBe('of b')
  })

  test('write everything or nothing, and give each state a revision of its own', async () => {
    const tables = await open()
    const revision = () => tables.read('a', (rows) => rows.revision)
    const before = revision()
    await tables.write('a', (rows) => rows.put('notes', 1, bytes('one')))
    const after = revision()
    expect(after).not.toBe(before)
    await expect(
      tables.write('a', (rows) => {
        rows.put('notes', 1, bytes('half'))
        rows.put('notes', 2, bytes('done'))
        throw new Error('stopped')
      }),
    ).rejects.toThrow('stopped')
    expect(revision()).toBe(after)
    expect(tables.read('a', (rows) => [rows.numbers('notes'), text(rows.get('notes', 1))])).toEqual([[1], 'one'])
    expect(await tables.write('a', (rows) => text(rows.get('notes', 1)))).toBe('one')
  })

  test('show a write its own rows', async () => {
    const tables = await open()
    const seen = await tables.write('a', (rows) => {
      rows.put('notes', 1, bytes('one'))
      rows.put('notes', 2, bytes('two'))
      rows.delete('notes', 1)
      return [rows.numbers('notes'), text(rows.get('notes', 2))]
    })
    expect(seen).toEqual([[2], 'two'])
  })
})

const count = async (tables: ByteTables) =>
  tables.write('a', (rows) => {
    const next = Number(text(rows.get('counter', 0)) ?? 0) + 1
    rows.put('counter', 0, bytes(String(next)))
  })

test('two openings of one file see what the other wrote, and their writes wait for each other', async () => {
  const file = await place()
  const [one, other] = [await opened(file), await opened(file)]
  await Promise.all(Array.from({ length: 40 }, async (_, i) => count(i % 2 === 0 ? one : other)))
  for (const tables of [one, other]) expect(tables.read('a', (rows) => text(rows.get('counter', 0)))).toBe('40')
})

test('a reader creates nothing, finds what comes later, and cannot write', async () => {
  const file = await place()
  const reader = await opened(file, { readOnly: true })
  expect(reader.read('a', (rows) => [rows.revision, rows.numbers('notes')])).toEqual(['', []])
  expect(await readdir(path.dirname(file))).toEqual([])
  await (await opened(file)).write('a', (rows) => rows.put('notes', 1, bytes('one')))
  expect(reader.read('a', (rows) => text(rows.get('notes', 1)))).toBe('one')
  await expect(reader.write('a', () => undefined)).rejects.toThrow('to be read')
})

async function damaged(): Promise<string> {
  const file = await place()
  const first = await openSqliteTables({ path: file })
  await first.write('a', (rows) => rows.put('notes', 1, bytes('one')))
  await first.close()
  await writeFile(file, Buffer.alloc(20_000, 'damage'))
  return file
}

test.skipIf(isWindows)('a damaged file is begun anew by a writer, and is empty for a reader until then', async () => {
  const file = await damaged()
  expect((await opened(file, { readOnly: true })).read('a', (rows) => rows.numbers('notes'))).toEqual([])
  const writer = await opened(file)
  expect(writer.read('a', (rows) => rows.numbers('notes'))).toEqual([])
  await writer.write('a', (rows) => rows.put('notes', 2, bytes('two')))
  expect(writer.read('a', (rows) => rows.numbers('notes'))).toEqual([2])
})

test.runIf(isWindows)('a damaged file is begun anew on Windows, or named where that is not possible', async () => {
  const file = await damaged()
  const outcome = await opened(file).then(
    () => 'begun anew',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )
  expect(outcome).toMatch(/begun anew|only an index/)
})

test('another program’s database is left alone', async () => {
  const file = await place()
  const { openSqliteStore } = await import('@agentm/nodes-sqlite')
  await (await openSqliteStore({ path: file, concepts: [] })).close()
  await expect(openSqliteTables({ path: file })).rejects.toThrow('another')
})

test('with erase, nothing of a deleted row remains in the files', async () => {
  const file = await place()
  const tables = await opened(file)
  await tables.write('a', (rows) => {
    for (let i = 0; i < 300; i++) rows.put('notes', i, bytes(`a row about ${i === 150 ? 'zirconium' : 'copper'} ${i}`))
  })
  await tables.write('a', (rows) => rows.delete('notes', 150), { erase: true })
  for (const name of await readdir(path.dirname(file)))
    expect((await readFile(path.join(path.dirname(file), name))).includes('zirconium')).toBe(false)
  expect(tables.read('a', (rows) => rows.numbers('notes').length)).toBe(299)
})
