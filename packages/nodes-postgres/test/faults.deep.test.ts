import { sampleConcepts } from '@agentm/conformance/logs'
import { defineConcept, isNodesError, type NodeStore } from '@agentm/nodes'
import { PostgresStoreError, printMigrations, restorePostgresBackup } from '@agentm/nodes-postgres'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ada, observation, sampleStore, step } from './sample-store.ts'
import { type Migration, migrations } from '../src/migrations.ts'
import { ownPostgres } from '../../../tools/own-postgres.mjs'

const server = ownPostgres()
const writerScript = fileURLToPath(new URL('appending-process.mjs', import.meta.url))

test('a server that is killed and comes back is waited for, and nothing acknowledged is lost', async () => {
  const store = await sampleStore(server())
  const events: unknown[] = []
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  void (async () => {
    for await (const { node } of store.log.feed({ owner: 'ada', after: 0, signal: stop.signal }))
      events.push(node.payload['content'])
  })()
  await store.log.append([observation('before')], ada)
  await server().kill()
  const during = store.log.append([observation('during')], ada)
  const reading = store.log.scan({ owner: 'ada' })
  await server().start()
  await during
  expect((await reading).nodes.length).toBeGreaterThan(0)
  await store.log.append([observation('after')], ada)
  await expect.poll(() => events).toEqual(['before', 'during', 'after'])
})

test('the restart of the server is not taken for the death of those who hold a session', async () => {
  const store = await sampleStore(server())
  await store.log.append([step('a'), { ...step('a', { status: 'ready' }), update: true }], ada)
  const { id: session } = await store.work.openSession({ actor: 'worker', leaseMs: 60_000 })
  const hold = await store.work.hold(session)
  onTestFinished(() => hold.release())
  await store.work.take({ session, owners: ['ada'], concepts: ['v1:sample:step'], actor: 'worker', k: 1 })
  await server().kill()
  await server().start()
  expect(await store.work.abandoned({ owners: ['ada'] })).toEqual([])
})

test('a client killed in the middle of its appends leaves whole appends, and heads that follow from them', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema })
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [writerScript, server().url, schema, `r${round}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const closed = once(child, 'close')
    const acknowledged: string[] = []
    child.stdout.on('data', (text: Buffer) => acknowledged.push(...text.toString().split('\n').filter(Boolean)))
    await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(10 + round * 7)
    child.kill('SIGKILL')
    await closed
    for (const id of acknowledged) expect((await store.log.latest(`v1:sample:step:${id}`, ada))?.version).toBe(2)
  }
  const { problems } = await store.log.check()
  expect(problems).toEqual([])
})

test('a connection that breaks while something is written is written once, when the server says that it did nothing', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema, connections: 1 })
  const [node] = await store.log.append([observation('there', 'a')], ada)
  const other = new pg.Client({ connectionString: server().url })
  await other.connect()
  onTestFinished(() => other.end())
  // Another writer holds the head, so that the append waits inside its one statement, and its connection is cut there.
  await other.query('begin')
  await other.query(`select from ${schema}.heads where id = $1 for update`, [node?.id])
  const writing = store.log.append([observation('changed', 'a')], ada)
  const outcome = writing.then(
    () => 'written',
    (error: unknown) => error,
  )
  await expect
    .poll(async () => {
      const { rows } = await other.query(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'agentm'`,
      )
      return rows.length
    })
    .toBe(1)
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'agentm'`,
  )
  await other.query('rollback')
  // The server said that it ended the session before it did anything, so this time the append is certain to be repeatable.
  expect(await outcome).toBe('written')
  expect((await store.log.history(node?.id ?? '', ada)).map(({ version }) => version)).toEqual([1, 2])
})

test('a statement that the server gave up is named, and nothing of it was written', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema })
  const [node] = await store.log.append([observation('there', 'a')], ada)
  const hasty = await sampleStore(server(), { schema, statementTimeoutMs: 300 })
  const other = new pg.Client({ connectionString: server().url })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query('begin')
  await other.query(`select from ${schema}.heads where id = $1 for update`, [node?.id])
  await expect(hasty.log.append([observation('changed', 'a')], ada)).rejects.toMatchObject({
    code: 'STATEMENT_TIMEOUT',
    message: expect.stringContaining('nothing of it was written'),
  })
  await other.query('rollback')
  expect(await store.log.history(node?.id ?? '', ada)).toHaveLength(1)
})

test('a corrupt payload is named and left as it is', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema })
  const [node] = await store.log.append([observation('fine', 'a')], ada)
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`update ${schema}.nodes set payload = '[1]'`)
  await expect(store.log.latest(node?.id ?? '', ada)).rejects.toMatchObject({ code: 'CORRUPT_NODE', version: 1 })
  expect((await store.log.check()).ok).toBe(false)
})

test('a head that does not follow from its log is found by a check and put right by a rebuild', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema })
  await store.log.append([step('a'), step('b', { dependsOn: ['a'] })], ada)
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`update ${schema}.heads set remaining = 7, ready = true where id = 'v1:sample:step:b'`)
  expect((await store.log.check()).problems).toEqual([
    'the head of v1:sample:step:b is not the fold of its log: ready, remaining',
  ])
  await store.log.rebuild()
  expect((await store.log.check()).problems).toEqual([])
})

test('redacted text is in no table of the server any more', async () => {
  const schema = server().newSchema()
  const store = await sampleStore(server(), { schema })
  const [node] = await store.log.append([observation('xylophonic secret', 'a')], ada)
  await store.log.append([observation('another xylophonic secret', 'a')], ada)
  await store.log.redact(node?.id ?? '', ada)
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  for (const table of ['nodes', 'heads', 'items', 'edges']) {
    const { rows } = await client.query(`select t::text as row from ${schema}.${table} t`)
    expect(JSON.stringify(rows)).not.toContain('xylophonic')
  }
  const { rows } = await client.query(
    `select n_dead_tup::int as dead, last_vacuum is not null as vacuumed from pg_stat_user_tables where schemaname = $1 and relname = 'nodes'`,
    [schema],
  )
  expect(rows).toEqual([{ dead: 0, vacuumed: true }])
})

test('a backup holds everything and fills an empty schema, and no other', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'agentm-backup-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, 'log.jsonl')
  const store = await sampleStore(server())
  await store.log.append([step('a'), step('b', { dependsOn: ['a'] }), observation('Ünïcödé "quoted" 🧠')], ada)
  await store.log.backup(file)
  await expect(store.log.backup(file)).rejects.toMatchObject({ code: 'EEXIST' })
  const schema = server().newSchema()
  const options = { url: server().url, schema, concepts: sampleConcepts }
  await restorePostgresBackup(file, options)
  const copy = await sampleStore(server(), { schema })
  const all = { owner: 'ada', versions: 'all' } as const
  expect(await copy.log.scan(all)).toEqual(await store.log.scan(all))
  const asked = { owner: 'ada', text: 'quoted', at: 1e13 }
  expect((await copy.recall.recall(asked)).hits).toEqual((await store.recall.recall(asked)).hits)
  expect((await copy.log.check()).problems).toEqual([])
  const [next] = await copy.log.append([observation('more')], ada)
  expect(next?.seq).toBe(4)
  await expect(restorePostgresBackup(file, options)).rejects.toThrow(/already contains nodes/)
})

test('a backup of an earlier version is restored without its notes', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'agentm-backup-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, 'log.jsonl')
  const store = await sampleStore(server())
  await store.log.append([observation('a lamp', 'a')], ada)
  await store.log.backup(file)
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const note = { key: 7, id: 'n', owner: 'ada', partition: 'p', concept: 'note', source: 'n', text: 'a lamp' }
  await writeFile(file, `${[...lines.slice(0, -1), JSON.stringify({ note }), lines.at(-1)].join('\n')}\n`)
  const schema = server().newSchema()
  await restorePostgresBackup(file, { url: server().url, schema, concepts: sampleConcepts })
  const copy = await sampleStore(server(), { schema })
  const { hits } = await copy.recall.recall({ owner: 'ada', text: 'lamp' })
  expect(hits.map(({ id }) => id)).toEqual(['v1:sample:observation:a'])
  expect((await copy.log.check()).problems).toEqual([])
})

test('notes of an earlier schema leave it, with their vectors, and nodes stay', async () => {
  const schema = server().newSchema()
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  const known = migrations as Migration[]
  const later = known.splice(1)
  try {
    await sampleStore(server(), { schema, vectors: 'scan' })
  } finally {
    known.push(...later)
  }
  await client.query(
    `insert into ${schema}.items (id, owner, partition, concept, source, active, created_at, ages_from, text, lexemes, data)
      select 'n' || i, 'ada', 'p', 'note', 'file', true, 1, 1, 'a lamp', to_tsvector('a lamp'), '{"key":1}'
      from generate_series(1, 100) i`,
  )
  await client.query(`insert into ${schema}.vectors (key, embedder) select key, 1 from ${schema}.items`)
  const { log, recall } = await sampleStore(server(), { schema, vectors: 'scan' })
  await log.append([observation('a lamp', 'a')], ada)
  const { hits } = await recall.recall({ owner: 'ada', text: 'lamp' })
  expect(hits.map(({ id }) => id)).toEqual(['v1:sample:observation:a'])
  const { rows } = await client.query(
    `select (select count(*)::int from ${schema}.items) as items, (select count(*)::int from ${schema}.vectors) as vectors`,
  )
  expect(rows).toEqual([{ items: 1, vectors: 0 }])
  const fresh = server().newSchema()
  await sampleStore(server(), { schema: fresh, vectors: 'scan' })
  expect(await shapeOf(client, schema)).toEqual(await shapeOf(client, fresh))
})

type Fault = readonly [name: string, url: () => string, code: string, words: RegExp]

const faults: readonly Fault[] = [
  [
    'a server that is not there',
    () => 'postgres://tester@127.0.0.1:1/postgres',
    'SERVER_UNREACHABLE',
    /Start it, or correct the address/,
  ],
  ['a wrong password', () => server().tcp, 'CREDENTIALS_REFUSED', /Set PGPASSWORD or PGPASSFILE/],
  ['an unknown database', () => server().url.replace('/postgres?', '/nowhere?'), 'DATABASE_ABSENT', /createdb nowhere/],
  ['a password in the URL', () => 'postgres://tester:hunter2@127.0.0.1/postgres', 'INVALID_URL', /Take it out/],
  ['no URL at all', () => 'hunter2 is my password', 'INVALID_URL', /Write it as/],
]

test.for(faults)('%s is named, with what to do, and without a secret', async ([, url, code, words]) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('failing-process.mjs', import.meta.url)), url()],
    {
      env: { PATH: process.env['PATH'], PGPASSWORD: 'hunter2' },
    },
  )
  const failed = JSON.parse(stdout)
  expect(failed).toMatchObject({ name: 'PostgresStoreError', code })
  expect(failed.message).toMatch(words)
  expect(stdout).not.toContain('hunter2')
})

test('a password from the environment is enough', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('failing-process.mjs', import.meta.url)), server().tcp],
    {
      env: { PATH: process.env['PATH'], PGPASSWORD: server().password },
    },
  )
  expect(JSON.parse(stdout)).toEqual({ opened: true })
})

test('a schema of a newer program is refused and left alone', async () => {
  const schema = server().newSchema()
  await sampleStore(server(), { schema })
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`insert into ${schema}.migrations (version, name) values (99, 'from the future')`)
  const refused = await sampleStore(server(), { schema }).catch((error: unknown) => error)
  expect(isNodesError(refused, 'STORE_NEWER')).toBe(true)
})

test('printed migrations make the schema an ordinary user then works with', async () => {
  const schema = server().newSchema()
  const refused = await sampleStore(server(), { schema, migrate: false }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(PostgresStoreError)
  expect(refused).toMatchObject({ code: 'SCHEMA_ABSENT' })
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(printMigrations(schema))
  const store = await sampleStore(server(), { schema, migrate: false, vectors: 'scan' })
  expect(await store.log.append([observation('works')], ada)).toHaveLength(1)
})

test('a schema of an older program is brought up to date by the next, once, and is refused by the older from then on', async () => {
  const schema = server().newSchema()
  const older = await sampleStore(server(), { schema })
  await older.log.append([step('a', { kind: 'strange' }), { ...step('a', { status: 'ready' }), update: true }], ada)
  await withNextMigration(async () => {
    const refused = await sampleStore(server(), { schema, migrate: false }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'SCHEMA_ABSENT', found: migrations.length - 1, known: migrations.length })
    const stores = await Promise.all([1, 2, 3].map(async () => sampleStore(server(), { schema })))
    const fresh = server().newSchema()
    await sampleStore(server(), { schema: fresh })
    const client = new pg.Client({ connectionString: server().url })
    await client.connect()
    onTestFinished(() => client.end())
    expect(await shapeOf(client, schema)).toEqual(await shapeOf(client, fresh))
    const { rows } = await client.query(`select name from ${schema}.migrations order by version`)
    expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
    const [{ work }] = stores as [NodeStore]
    const { id: session } = await work.openSession({ actor: 'worker', leaseMs: 60_000 })
    const take = async (kind: string) =>
      work.take({ session, owners: ['ada'], concepts: ['v1:sample:step'], actor: 'worker', k: 1, kinds: [kind] })
    expect(await take('plain')).toEqual([])
    expect(await take('strange')).toHaveLength(1)
  })
  const behind = await sampleStore(server(), { schema }).catch((error: unknown) => error)
  expect(isNodesError(behind, 'STORE_NEWER')).toBe(true)
})

/** As a later version of this program knows it. */
async function withNextMigration(work: () => Promise<void>): Promise<void> {
  const known = migrations as Migration[]
  known.push({ name: 'next', sql: (s) => `alter table ${s}.sessions add column later text;` })
  try {
    await work()
  } finally {
    known.pop()
  }
}

/** Tables with their columns, indexes and functions, without the name of the schema. */
async function shapeOf(client: pg.Client, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(
    `select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = $1
    union all select indexdef from pg_indexes where schemaname = $1
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = to_regnamespace($1)`,
    [schema],
  )
  return rows.map(({ line }) => line.replaceAll(schema, 'schema')).toSorted()
}

test('several programs that open an empty schema at once all find it whole', async () => {
  const schema = server().newSchema()
  const stores = await Promise.all([1, 2, 3, 4].map(async () => sampleStore(server(), { schema })))
  await Promise.all(stores.map(async (store, i) => store.log.append([observation(`from ${i}`)], ada)))
  const [first] = stores
  expect((await first?.log.scan({ owner: 'ada' }))?.nodes).toHaveLength(4)
})

test('a child and its absent parent, written at the same time, find each other', async () => {
  const parent = defineConcept({ name: 'v1:test:parent', schema: z.object({ status: z.string() }) })
  const child = defineConcept({
    name: 'v1:test:child',
    schema: z.object({ parentId: z.string(), status: z.string(), by: z.string().optional() }),
    relations: [{ field: 'parentId', to: parent.name, kind: 'parent' }],
    claimable: {
      from: 'ready',
      to: 'running',
      sessionField: 'by',
      mutation: 'start',
      claim: (_, { session }) => ({ status: 'running', by: session }),
      heldBy: ({ status }) => status !== 'open',
    },
  })
  const { log } = await sampleStore(server(), { concepts: [parent, child] })
  const children = Array.from({ length: 40 }, (_, i) => ({
    concept: child.name,
    id: `c${i}`,
    payload: { parentId: `p${i}`, status: 'ready' },
    mutation: 'add',
  }))
  const parents = children.map((_, i) => ({
    concept: parent.name,
    id: `p${i}`,
    payload: { status: 'open' },
    mutation: 'add',
  }))
  await Promise.all(children.flatMap((draft, i) => [log.append([draft], ada), log.append([parents[i] ?? draft], ada)]))
  expect((await log.check()).problems).toEqual([])
  expect((await log.scan({ owner: 'ada', concepts: [child.name] })).nodes.filter(({ held }) => held)).toEqual([])
})
