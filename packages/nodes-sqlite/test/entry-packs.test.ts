import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Payload, RecallItem } from '@agentm/nodes'
import { openSqliteReader } from '@agentm/nodes-sqlite'
import { sampleConcepts } from '@agentm/conformance/logs'
import { expect, it } from 'vitest'
import type { Row, SqlValue } from '../src/database.ts'
import { loadSqlite } from '../src/load-sqlite.ts'
import { packEntries, unpackEntries } from '../src/pure/packed-entries.ts'
import { openStore, ownDirectory, pathIn } from './open-store.ts'

const owner = 'ada'
const concept = 'v1:test:note'
const many = 600

it('reads a pack and not the rows, and whatever changed since from its row', async () => {
  const directory = await packed()
  await alter(directory, "update recall set data = json_set(data, '$.title', 'not seen') where source in ('n7', 'n8')")
  const { recall } = await openStore(directory)
  await recall.put([item(8, { data: { title: 'seen' } }), item(many)], { owner })
  await recall.remove({ source: 'n9' }, { owner })
  const found = new Map((await entriesIn(directory)).map(({ source, data }) => [source, data['title']]))
  expect([found.get('n7'), found.get('n8'), found.has('n9'), found.has(`n${many}`)]).toEqual([
    'title 7',
    'seen',
    false,
    true,
  ])
})

it('says the same with a pack as without, for data of every form', async () => {
  const directory = await packed((i) => item(i, { data: oddData(i) }))
  expect(await packsIn(directory)).toHaveLength(1)
  const withPack = await entriesIn(directory)
  await alter(directory, 'delete from entry_packs')
  expect(withPack).toEqual(await entriesIn(directory))
  expect(withPack).toHaveLength(many)
})

it('believes no pack of which a single byte is another, or the end is missing', async () => {
  const directory = await packed()
  await alter(directory, "update recall set data = json_set(data, '$.title', 'of the row') where source = 'n7'")
  const [whole] = await packsIn(directory)
  if (whole === undefined) throw new Error('nothing was packed')
  const headerLength = whole.readUInt32LE(32)
  const boundaries = [
    0,
    31,
    32,
    35,
    36,
    39,
    40,
    40 + headerLength,
    whole.length >> 2,
    whole.length >> 1,
    whole.length - 1,
  ]
  for (const at of boundaries) {
    const damaged = Buffer.from(whole)
    damaged.writeUInt8((damaged.readUInt8(at) + 1) % 256, at)
    for (const blob of [damaged, whole.subarray(0, at)]) {
      await alter(directory, 'update entry_packs set data = ?', blob)
      const found = await entriesIn(directory)
      expect([at, found.length, titleOf(found, 'n7')]).toEqual([at, many, 'of the row'])
    }
  }
})

it.each([
  ["update entry_packs set owner = 'bob'", 'of another owner'],
  ["update entry_packs set concept = 'v1:test:other'", 'of another concept'],
  ['update entry_packs set upto = upto - 1', 'of another change'],
  ['update entry_packs set upto = upto + 1000000', 'of a change that never was'],
  ["update counters set value = value + 1 where name = 'epoch'", 'of another epoch'],
])('believes no pack after %s: it is %s', async (sql) => {
  const directory = await packed()
  await alter(directory, "update recall set data = json_set(data, '$.title', 'of the row') where source = 'n7'")
  await alter(directory, sql)
  expect(titleOf(await entriesIn(directory), 'n7')).toBe('of the row')
  const others = [
    { owner: 'bob', concept },
    { owner, concept: 'v1:test:other' },
  ]
  for (const other of others) expect(await entriesIn(directory, other)).toEqual([])
})

it('keeps no erased text in a pack, and packs the remaining rows again', async () => {
  const directory = await packed()
  expect(holders(directory, 'title 7')).not.toEqual([])
  const store = await openStore(directory)
  await store.recall.remove({ source: 'n7' }, { owner, erase: true })
  expect(holders(directory, 'title 7"')).toEqual([])
  expect(await packsIn(directory)).toEqual([])
  await store.recall.entries({ owner, concept })
  await store.recall.put(
    Array.from({ length: many }, (_, i) => item(i + many)),
    { owner },
  )
  await store.close()
  expect(await packsIn(directory)).toHaveLength(1)
  expect(await entriesIn(directory)).toHaveLength(2 * many - 1)
})

it('packs the state of one moment, whoever else writes and packs', async () => {
  const directory = ownDirectory()
  const stores = await Promise.all([0, 1, 2].map(async () => openStore(directory)))
  for (let round = 0; round < 4; round++)
    await Promise.all(
      stores.map(async ({ recall }, s) => {
        await recall.put(
          Array.from({ length: 200 }, (_, i) => item(200 * s + i, { data: { title: `round ${round}` } })),
          { owner },
        )
        await recall.entries({ owner, concept })
      }),
    )
  await Promise.all(stores.map(async (store) => store.close()))
  expect(await packsIn(directory)).toHaveLength(1)
  const withPack = await entriesIn(directory)
  await alter(directory, 'delete from entry_packs')
  expect(withPack).toEqual(await entriesIn(directory))
})

it('does not pack what has no form of its own, or text that is none', () => {
  expect(packEntries([row(JSON.parse('{"__proto__": 1}'))], 's')).toBeUndefined()
  expect(packEntries([row({ title: '\ud800' })], 's')).toBeUndefined()
  expect(
    packEntries([row(Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`f${i}`, i])))], 's'),
  ).toBeUndefined()
  const blob = packEntries([row({ title: 'a' })], 's') ?? new Uint8Array()
  expect(unpackEntries(blob, { stamp: 's', concept })?.get(1)?.data).toEqual({ title: 'a' })
  expect(unpackEntries(blob, { stamp: 'another', concept })).toBeUndefined()
})

function oddData(i: number): Payload {
  const forms = [
    { title: `é ${i}`, count: i, list: ['a', i], absent: null },
    { title: '', count: -0.5, revision: `r${i}`, nested: { deep: [true] } },
    { title: 'nul \0 and \u{1F511}', count: 1e300, mixed: 'text' },
    { mixed: 7, title: '\\"' },
  ]
  return forms[i % forms.length] ?? {}
}

function row(data: object) {
  return { key: 1, id: 'a', source: 'a', partition: 'p', data: { ...data } }
}

function item(i: number, more: Partial<RecallItem> = {}): RecallItem {
  const data = { title: `title ${i}`, count: i }
  return {
    id: `n${i}/0`,
    source: `n${i}`,
    concept,
    partition: 'attic',
    text: `words ${i}`,
    createdAt: 1,
    data,
    ...more,
  }
}

/** Somebody put so much, looked at it as a whole, and went. */
async function packed(itemOf: (i: number) => RecallItem = item): Promise<string> {
  const directory = ownDirectory()
  const store = await openStore(directory)
  await store.recall.put(
    Array.from({ length: many }, (_, i) => itemOf(i)),
    { owner },
  )
  await store.recall.entries({ owner, concept })
  await store.close()
  return directory
}

/** As a process finds them that was just started. */
async function entriesIn(directory: string, of = { owner, concept }) {
  const store = await openSqliteReader({ path: pathIn(directory), concepts: sampleConcepts })
  if (store === undefined) throw new Error('no store is there')
  const found = (await store.recall.entries(of)).entries
  await store.close()
  return found
}

function titleOf(found: Awaited<ReturnType<typeof entriesIn>>, source: string): unknown {
  return found.find((entry) => entry.source === source)?.data['title']
}

/** Behind the back of the store: no change is counted. */
async function alter(directory: string, sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(pathIn(directory))
  try {
    return database.prepare(sql).all(...values)
  } finally {
    database.close()
  }
}

async function packsIn(directory: string): Promise<readonly Buffer[]> {
  const rows = await alter(directory, 'select data from entry_packs')
  return rows.flatMap(({ data }) => (data instanceof Uint8Array ? [Buffer.from(data)] : []))
}

function holders(directory: string, text: string): readonly string[] {
  return readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(text))
}
