import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sampleConcepts } from '@agentm/conformance/logs'
import { openSqliteStore, openSqliteReader } from '@agentm/nodes-sqlite'
import { restoreSqliteBackup } from '@agentm/nodes-sqlite/repair'
import { describe, expect, test } from 'vitest'
import { Connection } from '../src/connection.ts'
import { loadSqlite } from '../src/load-sqlite.ts'
import { unsafeFileSystem, unsafeSegment } from '../src/pure/unsafe-place.ts'
import { ada, observation, openStore, ownDirectory, pathIn } from './open-store.ts'

const open = (directory: string) => openSqliteStore({ path: pathIn(directory), concepts: sampleConcepts })

test('a file of a newer program is refused and left as it is', async () => {
  const store = await openStore()
  const { directory, path } = store
  await store.close()
  await sql(path, 'pragma user_version = 999')
  const before = readFileSync(path)
  await expect(open(directory)).rejects.toMatchObject({ code: 'STORE_NEWER', found: 999 })
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('a database of another program is refused', async () => {
  const directory = ownDirectory()
  await sql(pathIn(directory), 'create table theirs (x)')
  await expect(open(directory)).rejects.toMatchObject({ code: 'UNSAFE_PLACE' })
})

test('a damaged file is set aside unchanged under the name the error tells, and the next open begins anew', async () => {
  const directory = ownDirectory()
  writeFileSync(pathIn(directory), 'no database at all '.repeat(1000))
  const error: unknown = await open(directory).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'CORRUPT_STORE' })
  const [aside] = readdirSync(directory).filter((name) => name.includes('.corrupt-'))
  expect(String(error)).toContain(aside)
  expect(readFileSync(join(directory, aside ?? ''), 'utf8')).toContain('no database at all')
  const { log } = await openStore(directory)
  expect(await log.position()).toBe(0)
})

test('a reader names a damaged file, says what to do, and leaves it where it is', async () => {
  const directory = ownDirectory()
  const noDatabase = 'no database at all '.repeat(1000)
  writeFileSync(pathIn(directory), noDatabase)
  const error: unknown = await openSqliteReader({ path: pathIn(directory), concepts: sampleConcepts }).catch(
    (caught: unknown) => caught,
  )
  expect(error).toMatchObject({ code: 'CORRUPT_STORE' })
  expect(String(error)).toMatch(
    /agentm\.db is damaged, or is not a database\. Nothing was changed\..*restore a backup: agentm log restore FILE/,
  )
  expect(readdirSync(directory)).toEqual(['agentm.db'])
  expect(readFileSync(pathIn(directory), 'utf8')).toBe(noDatabase)
})

test('damage that is met later names the file too, and leaves it where it is', async () => {
  const directory = ownDirectory()
  await (await open(directory)).close()
  const tables = readFileSync(pathIn(directory)).length / 4096
  const store = await openStore(directory)
  for (let i = 0; i < 20; i++) await store.log.append([observation(`o${i}`, 'x'.repeat(4000))], ada)
  await store.close()
  const path = pathIn(directory)
  await sql(path, 'pragma wal_checkpoint(truncate)')
  const bytes = readFileSync(path)
  for (let page = tables; page < bytes.length / 4096; page++) bytes.fill(0xff, page * 4096, page * 4096 + 200)
  writeFileSync(path, bytes)
  const again = await openStore(directory)
  await expect(again.log.scan({ owner: 'ada', limit: 100 })).rejects.toMatchObject({
    code: 'CORRUPT_STORE',
    message: expect.stringContaining(path),
  })
  expect(readdirSync(directory).filter((name) => name.includes('.corrupt-'))).toEqual([])
})

test('damage that shows at a later row names the file too', async () => {
  const { DatabaseSync } = await loadSqlite()
  const path = pathIn(ownDirectory())
  await sql(path, 'create table t (x)')
  const whole = new DatabaseSync(path)
  const insert = whole.prepare('insert into t values (zeroblob(3000))')
  for (let i = 0; i < 50; i++) insert.run()
  whole.close()
  const bytes = readFileSync(path)
  bytes.fill(0xff, bytes.length - 4096, bytes.length - 3896)
  writeFileSync(path, bytes)
  const connection = new Connection(new DatabaseSync(path), path)
  let seen = 0
  const readAll = () => {
    for (const _ of connection.iterate('select x from t')) seen += 1
  }
  expect(readAll).toThrow(expect.objectContaining({ code: 'CORRUPT_STORE', message: expect.stringContaining(path) }))
  expect(seen).toBeGreaterThan(0)
  connection.close()
})

test('a full disk, and what cannot be opened, are named with the file and a way out', async () => {
  const { DatabaseSync } = await loadSqlite()
  const directory = ownDirectory()
  const database = new DatabaseSync(pathIn(directory))
  const connection = new Connection(database, pathIn(directory))
  connection.exec('create table t (x); pragma max_page_count = 3')
  const fill = () => connection.run('insert into t values (zeroblob(100000))')
  expect(fill).toThrow(expect.objectContaining({ code: 'STORE_FAULT', fault: 'full' }))
  expect(fill).toThrow(`${pathIn(directory)} could not be used: the disk is full. Free some space`)
  database.close()
  const taken = ownDirectory()
  mkdirSync(pathIn(taken))
  await expect(open(taken)).rejects.toMatchObject({ code: 'STORE_FAULT', fault: 'not-opened' })
})

describe('places that damage a database', () => {
  test.each(['Dropbox/x', 'OneDrive - Company', 'Library/Mobile Documents/x', 'Library/CloudStorage/x', 'My Drive'])(
    '%s is refused',
    async (place) => {
      const directory = join(ownDirectory(), place)
      mkdirSync(directory, { recursive: true })
      await expect(open(directory)).rejects.toMatchObject({ code: 'UNSAFE_PLACE' })
      expect(existsSync(pathIn(directory))).toBe(false)
    },
  )

  test.each(['.stfolder/', '.obsidian/', '_meta/agentm-store.json'])(
    'a folder below one with %s is refused',
    async (marker) => {
      const root = ownDirectory()
      mkdirSync(join(root, marker.replace(/[^/]*$/, '')), { recursive: true })
      if (!marker.endsWith('/')) writeFileSync(join(root, marker), '{}')
      const directory = join(root, 'a', 'b')
      mkdirSync(directory, { recursive: true })
      await expect(open(directory)).rejects.toMatchObject({ code: 'UNSAFE_PLACE' })
    },
  )

  test('an ordinary folder is taken, and made where it is missing', async () => {
    const { log } = await openStore(join(ownDirectory(), 'not', 'yet', 'there'))
    expect(await log.position()).toBe(0)
  })

  test('names and numbers', () => {
    expect(
      ['Dropbox (Work)', 'dropboxes', 'GoogleDrive-me@x', 'projects'].map((name) => unsafeSegment(name, '')),
    ).toEqual(['Dropbox', undefined, 'Google Drive', undefined])
    expect([0x6969, 0xef53, -0x1acb2be].map((type) => unsafeFileSystem(type, 'linux'))).toEqual([
      'NFS',
      undefined,
      'SMB',
    ])
    expect(unsafeFileSystem(0x6969, 'darwin')).toBeUndefined()
  })
})

test('a write waits for another writer, and gives up after its patience', async () => {
  const { log, path } = await openStore(ownDirectory(), { patienceMs: 150 })
  const { DatabaseSync } = await loadSqlite()
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  await expect(log.append([observation('a', 'x')], ada)).rejects.toMatchObject({ code: 'STORE_BUSY' })
  const waiting = log.append([observation('b', 'x')], ada)
  setTimeout(() => other.exec('commit'), 40)
  expect(await waiting).toHaveLength(1)
  other.close()
  expect(await log.latest('v1:sample:observation:a', ada)).toBeUndefined()
})

test('of appends that share a commit, a refused one takes nobody with it', async () => {
  const { log } = await openStore()
  const bad = { ...observation('bad', 'x'), payload: { content: 7 } }
  const outcomes = await Promise.allSettled([
    log.append([observation('a', 'x')], ada),
    log.append([observation('half', 'x'), bad], ada),
    log.append([observation('b', 'x')], ada),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const { nodes } = await log.scan({ owner: 'ada' })
  expect(nodes.map(({ id }) => id.slice(-1))).toEqual(['a', 'b'])
})

test('a backup is a store of its own, and never written over a file', async () => {
  const { log, directory } = await openStore()
  await log.append([observation('a', 'a lamp', [1, 0])], ada)
  const copy = join(directory, 'copy')
  mkdirSync(copy)
  await log.backup(pathIn(copy))
  await log.append([observation('b', 'later')], ada)
  const backup = await openStore(copy)
  expect((await backup.log.scan({ owner: 'ada' })).nodes).toHaveLength(1)
  expect((await backup.log.check()).problems).toEqual([])
  await expect(log.backup(pathIn(copy))).rejects.toThrow('exists')
})

test('a backup comes back whole, also beside the write-ahead log of a damaged file, and what was there is kept', async () => {
  const copy = pathIn(ownDirectory())
  const { log, directory, path } = await openStore()
  await log.append([observation('a', 'a lamp', [1, 0])], ada)
  await log.backup(copy)
  await log.append([observation('b', 'later')], ada)
  await expect(restoreSqliteBackup(copy, { path })).rejects.toMatchObject({ code: 'STORE_BUSY' })
  // As a process that was killed leaves it: a log of writes beside a file that is no database any more.
  const killed = ownDirectory()
  for (const name of readdirSync(directory)) writeFileSync(join(killed, name), readFileSync(join(directory, name)))
  writeFileSync(pathIn(killed), 'no database '.repeat(1000))
  expect(readFileSync(`${pathIn(killed)}-wal`).length).toBeGreaterThan(0)
  const { keptAs } = await restoreSqliteBackup(copy, { path: pathIn(killed) })
  expect(readFileSync(keptAs ?? '', 'utf8')).toContain('no database')
  const restored = await openStore(killed)
  expect((await restored.log.check()).problems).toEqual([])
  expect((await restored.log.scan({ owner: 'ada' })).nodes.map(({ id }) => id.slice(-1))).toEqual(['a'])
})

test('only a whole backup of this program, and of no newer one, is put in the place of a log', async () => {
  const { path, log, close } = await openStore().then((store) => ({ ...store, close: () => store.close() }))
  const copy = pathIn(ownDirectory())
  await log.backup(copy)
  await close()
  const before = readFileSync(path)
  const other = pathIn(ownDirectory())
  await sql(other, 'create table theirs (x)')
  await sql(copy, 'pragma user_version = 999')
  const torn = pathIn(ownDirectory())
  writeFileSync(torn, 'no database '.repeat(1000))
  const absent = pathIn(ownDirectory())
  const codes = await Promise.all(
    [other, copy, torn, absent].map(async (from) =>
      restoreSqliteBackup(from, { path }).catch((error: unknown) => (error as { code: string }).code),
    ),
  )
  expect(codes).toEqual(['UNSAFE_PLACE', 'STORE_NEWER', 'CORRUPT_STORE', 'UNSAFE_PLACE'])
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readdirSync(dirname(path)).filter((name) => /replaced|restoring/.test(name))).toEqual([])
})

test('who closes leaves everything in the file, and nothing beside it that another put in its place could be mixed with', async () => {
  const store = await openStore()
  await store.log.append([observation('a', 'a lamp', [1, 0])], ada)
  await store.log.scan({ owner: 'ada' })
  await store.close()
  const rest = readdirSync(store.directory).filter((name) => name.endsWith('-wal'))
  expect(rest.filter((name) => readFileSync(join(store.directory, name)).length > 0)).toEqual([])
})

test('damage is found and named, reads of it are refused, and derived damage can be rebuilt', async () => {
  const { log, path } = await openStore()
  await log.append([observation('a', 'one'), observation('b', 'two')], ada)
  await sql(path, "update heads set version = 7 where id like '%:a'")
  expect((await log.check()).problems).toEqual([expect.stringContaining('observation:a is not the fold')])
  await log.rebuild()
  expect((await log.check()).problems).toEqual([])
  await sql(path, "update nodes set payload = '{\"content\":' where id like '%:b'")
  expect((await log.check()).problems).toEqual([expect.stringContaining('version 1 of v1:sample:observation:b')])
  await expect(log.latest('v1:sample:observation:b', ada)).rejects.toMatchObject({ code: 'CORRUPT_NODE' })
  expect((await log.latest('v1:sample:observation:a', ada))?.payload).toMatchObject({ content: 'one' })
})

async function sql(path: string, statement: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(path)
  database.exec(statement)
  database.close()
}
