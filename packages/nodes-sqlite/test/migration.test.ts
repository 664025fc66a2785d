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

/** Something of everything: several versions, edges, a parent, claims and an end, a timer, an erasure, vectors, what was put. */
async function fill({ log, work, recall }: NodeStore): Promise<void> {
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
  const note = { id: 'note', concept: 'note', partition: 'attic', source: 'file', text: 'a note', createdAt: 1 }
  await recall.put([note], ada)
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
    // Earlier shapes gave each partition a weight, which was 1.
    const values = columns.map((name) => (name === 'weight' ? '1' : name)).join(', ')
    database.exec(
      `delete from ${table}; insert into ${table} (${columns.join(', ')}) select ${values} from made.${table}`,
    )
  }
  database.close()
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
