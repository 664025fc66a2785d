import { statSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { sampleConcepts } from '@agentm/conformance/logs'
import type { NodeStore, Payload } from '@agentm/nodes'
import { openSqliteReader } from '@agentm/nodes-sqlite'
import { loadSqlite } from '../src/load-sqlite.ts'
import { applicationId, migrations } from '../src/migrations.ts'
import { ada, observation, openStore, ownDirectory, pathIn } from './open-store.ts'

const tables = ['nodes', 'heads', 'edges', 'sessions', 'fairness', 'recall', 'embedders', 'stirred', 'counters']

test('a file of each earlier shape becomes what a new one is, with everything it held', async () => {
  const made = await openStore()
  await fill(made)
  await made.close()
  const wanted = await contents(made.path)
  expect(wanted.rows['nodes']?.length).toBeGreaterThan(10)
  for (let shape = 1; shape < migrations.length; shape++) {
    const directory = ownDirectory()
    await copyInShape(shape, made.path, pathIn(directory))
    const migrated = await openStore(directory)
    expect((await migrated.log.check()).problems).toEqual([])
    await migrated.close()
    expect(await contents(migrated.path)).toEqual(wanted)
  }
})

test('a migrated log goes on: versions, claims and numbers follow on what was there', async () => {
  const made = await openStore()
  await fill(made)
  const before = await made.log.history('v1:sample:observation:b', { owner: 'ada' })
  await made.close()
  const directory = ownDirectory()
  await copyInShape(1, made.path, pathIn(directory))
  const { log, work } = await openStore(directory)
  expect(await log.history('v1:sample:observation:b', { owner: 'ada' })).toEqual(before)
  const position = await log.position()
  const draft = { ...observation('b', 'again'), update: true }
  const [next] = await log.append([draft, observation('new', 'later')], ada)
  expect(next).toMatchObject({ version: before.length + 1, seq: position + 1 })
  const session = await work.openSession({ actor: 'worker', leaseMs: 10_000 })
  const concepts = ['v1:sample:step']
  const taken = await work.take({ session: session.id, actor: 'worker', owners: ['ada'], concepts, k: 5 })
  expect(taken.map(({ id }) => id)).toEqual(['v1:sample:step:three'])
  expect((await log.check()).problems).toEqual([])
})

test('whoever only looks finds what an older program wrote', async () => {
  const made = await openStore()
  await fill(made)
  await made.close()
  const path = pathIn(ownDirectory())
  await copyInShape(1, made.path, path)
  const reader = await openSqliteReader({ path, concepts: sampleConcepts })
  onTestFinished(async () => reader?.close())
  expect((await reader?.log.latest('v1:sample:observation:a', { owner: 'ada' }))?.payload).toMatchObject({
    content: 'a lamp',
  })
})

test('notes of an earlier version leave the log, which becomes small and ranks its nodes as before', async () => {
  const directory = ownDirectory()
  const path = pathIn(directory)
  const made = await openStore()
  await made.log.append(
    Array.from({ length: 20 }, (_, i) => observation(`o${i}`, `a lamp of ${'many '.repeat(i)} words`, [1, i])),
    ada,
  )
  const wanted = await askForLamp(made)
  await made.close()
  await copyInShape(5, made.path, path)
  await putNotes(path, 4000)
  const before = statSync(path).size
  expect(before).toBeGreaterThan(20e6)
  const store = await openStore(directory)
  expect(statSync(path).size).toBeLessThan(before / 50)
  expect((await store.log.check()).problems).toEqual([])
  expect((await askForLamp(store)).map(([id]) => id)).toEqual(wanted.map(([id]) => id))
  expect((await store.log.size()).recallItems).toBe(20)
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(path, { readOnly: true })
  onTestFinished(() => database.close())
  const highest = () => Number(database.prepare('select max(change) as change from stirred').get()?.['change'])
  expect(highest(), 'numbers go on from those of the notes').toBeGreaterThan(4020)
  expect(database.prepare("select rowid from words where words match 'note'").all()).toEqual([])
  await store.log.append([observation('later', 'a lamp')], ada)
  expect(database.prepare('select max(key) as key from recall').get()?.['key']).toBe(highest() + 1)
  await store.log.redact('v1:sample:observation:later', ada)
  // The word index counts removed texts as long as it is not made again, here as after any removal.
  await store.log.rebuild()
  expect(await askForLamp(store)).toEqual(wanted)
})

test('a log that another process writes at that moment is opened all the same, and becomes small later', async () => {
  const directory = ownDirectory()
  const path = pathIn(directory)
  const { DatabaseSync } = await loadSqlite()
  const made = new DatabaseSync(path)
  for (const step of migrations) made.exec(step)
  made.exec(`pragma application_id = ${applicationId}; pragma user_version = ${migrations.length}`)
  made.exec('pragma journal_mode = wal; create table much (bytes blob); insert into much values (zeroblob(30000000))')
  made.exec('drop table much; begin immediate')
  const first = await openStore(directory)
  expect(await first.log.latest('v1:sample:plan:p', ada)).toBeUndefined()
  await first.close()
  made.exec('rollback')
  made.close()
  expect(statSync(path).size).toBeGreaterThan(30e6)
  const second = await openStore(directory)
  await second.close()
  expect(statSync(path).size).toBeLessThan(1e6)
})

async function askForLamp({ recall }: NodeStore) {
  const vector = { embedder: 'test', values: [1, 0.5] }
  const { hits } = await recall.recall({ owner: 'ada', text: 'lamp', vector, wLex: 0.5, at: 1e13 })
  return hits.map(({ id, score }) => [id, score.toFixed(3)])
}

/** Rows as an earlier version wrote them for notes: with text, data, words and a vector. */
async function putNotes(path: string, count: number): Promise<void> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(path)
  const text = `a note on a lamp ${'and other things '.repeat(60)}`
  const [recall, words] = [
    `insert into recall (key, id, concept, owner, partition, source, active, created_at, ages_from, text, data, embedder, unit)
      values (?, ?, 'note', 'ada', 'attic', ?, 1, 1, 1, ?, ?, 1, ?)`,
    'insert into words (rowid, text) values (?, ?)',
  ].map((sql) => database.prepare(sql))
  database.exec('begin; delete from words')
  const nodes = "select r.key, n.payload ->> 'content' as text from recall r join nodes n on n.seq = r.seq"
  for (const row of database.prepare(nodes).all()) words?.run(Number(row['key']), String(row['text']))
  const data = JSON.stringify({ text, terms: Array.from({ length: 200 }, (_, i) => i * 1e6) })
  for (let i = 0; i < count; i++) {
    recall?.run(1000 + i, `n${i}`, `n${i}`, text, data, new Uint8Array(new Float32Array(256).fill(0.0625).buffer))
    words?.run(1000 + i, text)
  }
  database.prepare('insert into entry_packs values (?, ?, ?, ?)').run('ada', 'note', 1, new Uint8Array(1e6))
  database.exec('commit')
  database.close()
}

/** Something of everything: several versions, edges, a parent, claims and an end, a timer, an erasure, vectors. */
async function fill({ log, work }: NodeStore): Promise<void> {
  await log.append([observation('a', 'a lamp', [1, 0]), observation('b', 'a fuse'), observation('gone', 'x')], ada)
  for (const content of ['second', 'third'])
    await log.append([{ ...observation('b', content), update: true }, observation(`after-${content}`, content)], ada)
  await log.redact('v1:sample:observation:gone', { owner: 'ada', actor: 'test' })
  const plan = { concept: 'v1:sample:plan', id: 'v1:sample:plan:p', payload: { goal: 'light' }, mutation: 'create' }
  const step = (name: string, dependsOn: readonly string[] = []) => ({
    concept: 'v1:sample:step',
    id: `v1:sample:step:${name}`,
    payload: { title: name, planId: plan.id, dependsOn },
    mutation: 'create',
  })
  const ready = ['one', 'two', 'three'].map((name) => `v1:sample:step:${name}`)
  await log.append([plan, step('one'), step('two'), step('three'), step('join', ready.slice(0, 2))], ada)
  await log.append(
    ready.map((id) => change(id, { status: 'ready' })),
    ada,
  )
  const session = await work.openSession({ actor: 'worker', leaseMs: 10_000 })
  const take = { session: session.id, actor: 'worker', owners: ['ada'], concepts: ['v1:sample:step'], k: 2 }
  const [first, second] = await work.take(take)
  await log.append([change(first?.id ?? '', { status: 'done' })], ada)
  await log.append([change(second?.id ?? '', { status: 'failed', retryAt: 5000 })], ada)
}

function change(id: string, payload: Payload) {
  return { concept: 'v1:sample:step', id, payload, mutation: 'change', update: true }
}

/** The same log as the file that a program with so many migrations would have made. The words are left out. */
async function copyInShape(shape: number, from: string, to: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(to)
  for (const step of migrations.slice(0, shape)) database.exec(step)
  database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${shape}; pragma journal_mode = wal`)
  database.prepare('attach ? as made').run(from)
  for (const table of tables) {
    const columns = database
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name))
    const values = columns.map((name) => earlier[`${table}.${name}`] ?? name).join(', ')
    database.exec(
      `delete from ${table}; insert into ${table} (${columns.join(', ')}) select ${values} from made.${table}`,
    )
  }
  database.close()
}

/** What columns of earlier shapes contain: each partition had a weight, and each row of recall a source, as notes had. */
const earlier: Readonly<Record<string, string>> = {
  'fairness.weight': '1',
  'recall.source': 'id',
  'recall.text': 'null',
  'recall.data': 'null',
}

async function contents(path: string) {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(path, { readOnly: true })
  const all = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  const shape = all('select type, name, tbl_name, sql from sqlite_master order by name')
  const rows = Object.fromEntries(tables.map((table) => [table, all(`select * from ${table} order by 1, 2`)]))
  database.close()
  return { shape, rows }
}
