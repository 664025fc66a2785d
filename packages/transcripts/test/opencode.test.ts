import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findSessions, type SessionSource } from '@agentm/transcripts'
import { bodies, readAll } from './samples.ts'
import { openDatabase, openForWriting } from './sqlite.ts'

interface Row {
  readonly id: string
  readonly data: string
  readonly message_id?: string
  readonly time_created: number
  readonly [column: string]: unknown
}
interface Rows {
  readonly schema: readonly string[]
  readonly session: readonly Row[]
  readonly message: readonly Row[]
  readonly part: readonly Row[]
}

const rows = JSON.parse(await readFile(new URL('samples/opencode/rows.json', import.meta.url), 'utf8')) as Rows

/** What a writer of opencode does, for both forms of its storage. */
interface Writer {
  put(table: 'session' | 'message' | 'part', row: Row): Promise<void>
  remove(table: 'message' | 'part', row: Row): Promise<void>
}

async function place() {
  const root = await mkdtemp(join(tmpdir(), 'transcripts-opencode-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  return root
}

async function databaseWorld() {
  const root = await place()
  const database = await openForWriting(join(root, 'opencode.db'))
  database.exec('PRAGMA journal_mode = WAL')
  for (const sql of rows.schema) database.exec(sql)
  onTestFinished(() => {
    database.close()
  })
  const writer: Writer = {
    put: async (table, row) => {
      const names = Object.keys(row)
      const sql = `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
      database.prepare(sql).run(...Object.values(row))
    },
    remove: async (table, { id }) => {
      database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id)
    },
  }
  return { root, writer, options: { roots: { opencode: root }, home: root, env: {}, openDatabase } }
}

async function filesWorld() {
  const root = await place()
  const pathOf = (table: string, row: Row) => {
    const parent = table === 'session' ? row['project_id'] : table === 'message' ? row['session_id'] : row.message_id
    return join(root, 'storage', table, String(parent), `${row.id}.json`)
  }
  const writer: Writer = {
    put: async (table, row) => {
      const path = pathOf(table, row)
      await mkdir(join(path, '..'), { recursive: true })
      const { id, parent_id: parentID, directory, title, version, revert, time_updated: updated } = row
      const session = {
        id,
        parentID,
        directory,
        title,
        version,
        time: { updated },
        ...(typeof revert !== 'string' ? {} : { revert: JSON.parse(revert) }),
      }
      const content = table === 'session' ? session : { ...JSON.parse(row.data), id }
      await writeFile(path, JSON.stringify(content, undefined, 2))
    },
    remove: async (table, row) => {
      await rm(pathOf(table, row))
    },
  }
  return { root, writer, options: { roots: { opencode: root }, home: root, env: {}, openDatabase } }
}

async function fill(writer: Writer) {
  for (const row of rows.session) await writer.put('session', row)
  for (const row of rows.message) await writer.put('message', row)
  for (const row of rows.part) await writer.put('part', row)
}

async function only(options: Parameters<typeof findSessions>[0]): Promise<SessionSource> {
  const { sessions, unreadable } = await findSessions({ ...options, hosts: ['opencode'] })
  expect(unreadable).toEqual([])
  expect(sessions).toHaveLength(1)
  return sessions[0] as SessionSource
}

describe.each([
  ['a database', databaseWorld],
  ['files', filesWorld],
] as const)('opencode in %s', (_name, world) => {
  it('reads what the real client wrote', async () => {
    const { writer, options } = await world()
    await fill(writer)
    const source = await only(options)
    const { events, cursor } = await readAll(source, options)
    expect(bodies(events, 'prompt', 'reply', 'error', 'unknown')).toEqual([
      { type: 'prompt', text: '"The test fails. Make it pass."', id: 'msg_1f4c1601f001adEDLWmRIXSrD4' },
      { type: 'reply', text: 'I run the test first.', model: 'scripted' },
      { type: 'reply', text: 'sum subtracts. I correct it.', model: 'scripted' },
      { type: 'reply', text: 'The test passes: sum.js subtracted instead of adding.', model: 'scripted' },
    ])
    expect(events.flatMap((event) => (event.type === 'call' ? [event.use] : []))).toEqual([
      { does: 'command', command: 'node sum.test.js' },
      { does: 'read', files: ['/work/repo/sum.js'] },
      { does: 'write', files: ['/work/repo/sum.js'] },
      { does: 'command', command: 'node sum.test.js' },
    ])
    expect(events.flatMap((event) => (event.type === 'result' ? [event.exitCode] : []))).toEqual([
      1,
      undefined,
      undefined,
      0,
    ])
    expect(events[0]).toMatchObject({ type: 'session', cwd: '/work/repo', title: 'A small task', version: '1.18.33' })
    const input = events.reduce((sum, event) => sum + (event.type === 'usage' ? (event.inputTokens ?? 0) : 0), 0)
    expect(input).toBe(500)
    expect(new Set(events.map(({ record }) => record)).size).toBe(cursor?.records)
    expect(await readAll(source, { ...options, cursor })).toMatchObject({ events: [], restarted: false })
  })

  it('gives the same events whenever it is read while the client writes', async () => {
    const { writer, options } = await world()
    for (const row of rows.session) await writer.put('session', row)
    const source = await only(options)
    const whole = await world()
    await fill(whole.writer)
    const expected = await readAll(await only(whole.options), whole.options)
    const steps = rows.message.flatMap((message) => [
      ['message', begun(message)] as const,
      ...rows.part
        .filter((part) => part.message_id === message.id)
        .flatMap((part) => [['part', begun(part)] as const, ['part', part] as const]),
      ['message', message] as const,
    ])
    const events = []
    let cursor
    for (const [table, row] of steps) {
      await writer.put(table, row)
      const read = await readAll(source, { ...options, cursor })
      cursor = read.cursor
      events.push(...read.events)
    }
    expect(events).toEqual(expected.events)
  })

  it('gives the rest of a message that was never completed once another follows', async () => {
    const { writer, options } = await world()
    for (const row of rows.session) await writer.put('session', row)
    const [prompt, first, second] = rows.message as readonly [Row, Row, Row]
    await writer.put('message', prompt)
    await writer.put('message', begun(first))
    for (const part of rows.part.filter(({ message_id: id }) => id !== second.id)) await writer.put('part', begun(part))
    const source = await only(options)
    const before = await readAll(source, options)
    await writer.put('message', second)
    const after = await readAll(source, { ...options, cursor: before.cursor })
    expect(bodies(before.events, 'call')).toEqual([])
    expect(bodies(after.events, 'call')).toMatchObject([{ tool: 'bash' }])
    expect(bodies(after.events, 'result')).toEqual([])
  })

  it('starts anew if the message of the cursor was taken back', async () => {
    const { writer, options } = await world()
    await fill(writer)
    const source = await only(options)
    const { cursor } = await readAll(source, options)
    const last = rows.message.at(-1) as Row
    for (const part of rows.part.filter(({ message_id: id }) => id === last.id)) await writer.remove('part', part)
    await writer.remove('message', last)
    const again = await readAll(source, { ...options, cursor })
    expect(again.restarted).toBe(true)
    expect(again.events[0]).toMatchObject({ record: 1, type: 'session' })
    expect(bodies(again.events, 'reply')).toHaveLength(2)
  })

  it('reports that the person went back to a message', async () => {
    const { writer, options } = await world()
    await fill(writer)
    const source = await only(options)
    const { cursor } = await readAll(source, options)
    const to = rows.message[1]?.id
    await writer.put('session', { ...(rows.session[0] as Row), revert: JSON.stringify({ messageID: to }) })
    const { events } = await readAll(source, { ...options, cursor })
    expect(bodies(events, 'rewind', 'session')).toEqual([{ type: 'rewind', to }])
  })

  it('reads a session with a parent as a sub-agent of it', async () => {
    const { writer, options } = await world()
    await fill(writer)
    const parent = rows.session[0] as Row
    const prompt = rows.message[0] as Row
    await writer.put('session', { ...parent, id: 'ses_child', parent_id: parent.id })
    await writer.put('message', { ...prompt, id: 'msg_child', session_id: 'ses_child' })
    await writer.put('part', {
      ...(rows.part[0] as Row),
      id: 'prt_child',
      session_id: 'ses_child',
      message_id: 'msg_child',
    })
    const { sessions } = await findSessions({ ...options, hosts: ['opencode'] })
    const child = sessions.find(({ source }) => source.includes('ses_child')) as SessionSource
    const { events } = await readAll(child, options)
    expect(events[0]).toMatchObject({
      session: parent.id,
      agent: 'ses_child',
      type: 'session',
      parent: { session: parent.id, why: 'sub-agent' },
    })
    expect(bodies(events, 'prompt')).toEqual([])
  })
})

/** A row as it was before it was complete. */
function begun(row: Row): Row {
  const data = JSON.parse(row.data) as Record<string, unknown>
  const { time, state, role } = data as {
    time?: Record<string, number>
    state?: Record<string, unknown>
    role?: string
  }
  if (role === 'user') return row
  const { end: _end, completed: _completed, ...open } = time ?? {}
  const running = state === undefined ? {} : { state: { status: 'running', input: state['input'], time: { start: 1 } } }
  return { ...row, data: JSON.stringify({ ...data, time: open, ...running }) }
}

it('leaves out files whose sessions a database took over', async () => {
  const files = await filesWorld()
  await fill(files.writer)
  const database = await openForWriting(join(files.root, 'opencode.db'))
  for (const sql of rows.schema) database.exec(sql)
  const [session] = rows.session as readonly [Row]
  const names = Object.keys(session)
  database
    .prepare(`INSERT INTO session (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
    .run(...Object.values(session))
  database.close()
  expect((await only(files.options)).source).toBe(`opencode.db/${session.id}`)
})

it('names a file that is no database', async () => {
  const root = await place()
  await writeFile(join(root, 'opencode.db'), 'this is no database, and long enough to be looked at')
  const options = { roots: { opencode: root }, home: root, env: {}, openDatabase }
  const { sessions, unreadable } = await findSessions({ ...options, hosts: ['opencode'] })
  expect(sessions).toEqual([])
  expect(unreadable).toMatchObject([{ host: 'opencode', source: 'opencode.db' }])
  await expect(readAll({ host: 'opencode', source: 'opencode.db/ses_x' }, options)).rejects.toMatchObject({
    code: 'SESSION_UNREADABLE',
  })
})

it('names the absence of SQLite as such, whichever program reads databases, and not as a fault of the session', async () => {
  const { root, writer, options } = await databaseWorld()
  await fill(writer)
  const source = await only(options)
  const absent = Object.assign(new Error('install SQLite'), { code: 'SQLITE_ABSENT' })
  const without = { roots: { opencode: root }, home: root, env: {}, openDatabase: () => Promise.reject(absent) }
  const { sessions, unreadable } = await findSessions({ ...without, hosts: ['opencode'] })
  expect([sessions, unreadable]).toEqual([[], [{ host: 'opencode', source: 'opencode.db', code: 'SQLITE_ABSENT' }]])
  await expect(readAll(source, without)).rejects.toBe(absent)
})

it('does not create a database by looking for one', async () => {
  const root = await place()
  const options = { roots: { opencode: root }, home: root, env: {}, openDatabase }
  await expect(readAll({ host: 'opencode', source: 'opencode.db/ses_x' }, options)).rejects.toMatchObject({
    code: 'SESSION_ABSENT',
  })
  expect((await findSessions({ ...options, hosts: ['opencode'] })).sessions).toEqual([])
})
