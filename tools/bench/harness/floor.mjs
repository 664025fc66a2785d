// @ts-check
/**
 * The floor: steps are claimed and completed by hand, one transaction each, on nodes and heads of the same form, with one statement
 * each if possible. It has no guard, merge, fairness, session or feed, and no fence but the version.
 */
import path from 'node:path'
import pg from 'pg'
import { DatabaseSync } from '../nodes/sqlite.mjs'
import { ownServer } from '../nodes-postgres/own-store.mjs'

/**
 * @typedef {object} Floor
 * @property {(count: number) => Promise<void>} addReady
 * @property {(count: number, concurrency: number) => Promise<void>} run claims and completes so many
 * @property {() => Promise<void>} close
 */

/** @param {string} scratch @param {import('./stores.mjs').Level} level @returns {Promise<Floor>} */
export async function sqliteFloor(scratch, level) {
  const database = new DatabaseSync(path.join(scratch, 'floor.db'))
  database.exec(`pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = ${level}`)
  database.exec(`
    create table nodes (seq integer primary key, id text not null, version integer not null, concept text not null,
      owner text not null, created_at real not null, status text, payload text not null, unique (id, version));
    create table heads (id text primary key, seq integer not null, version integer not null, concept text not null,
      owner text not null, status text, created_at real not null) without rowid;
    create index heads_concept on heads (owner, concept, seq);
    create index heads_ready on heads (seq) where status = 'ready';
  `)
  const node = database.prepare(
    "insert into nodes (id, version, concept, owner, created_at, status, payload) values (?, ?, 'step', 'ada', ?, ?, ?)",
  )
  const first = database.prepare(
    "insert into heads (id, seq, version, concept, owner, status, created_at) values (?, ?, 1, 'step', 'ada', 'ready', ?)",
  )
  const move = database.prepare('update heads set seq = ?, version = ?, status = ? where id = ? and version = ?')
  const ready = database.prepare("select id, version from heads where status = 'ready' order by seq limit 1")
  /** @param {string} id @param {number} version @param {string} status */
  const write = (id, version, status) => {
    const { lastInsertRowid } = node.run(id, version + 1, Date.now(), status, JSON.stringify({ title: id, status }))
    move.run(Number(lastInsertRowid), version + 1, status, id, version)
  }
  const claim = () => {
    database.exec('begin immediate')
    const { id, version } = /** @type {{ id: string, version: number }} */ (ready.get())
    write(id, version, 'running')
    database.exec('commit')
    return { id, version: version + 1 }
  }
  let added = 0
  return {
    async addReady(count) {
      database.exec('begin immediate')
      for (let i = 0; i < count; i++) {
        const id = `s${(added += 1)}`
        const { lastInsertRowid } = node.run(id, 1, Date.now(), 'ready', JSON.stringify({ title: id, status: 'ready' }))
        first.run(id, Number(lastInsertRowid), Date.now())
      }
      database.exec('commit')
    },
    async run(count) {
      // One connection and one thread: running at the same time or one after the other makes no difference to its transactions.
      for (let i = 0; i < count; i++) {
        const { id, version } = claim()
        await Promise.resolve()
        database.exec('begin immediate')
        write(id, version, 'done')
        database.exec('commit')
      }
    },
    async close() {
      database.close()
    },
  }
}

/** @param {import('./stores.mjs').Level} level @returns {Promise<Floor>} */
export async function postgresFloor(level) {
  const server = await ownServer()
  const schema = server.newSchema()
  const pool = new pg.Pool({
    connectionString: server.url,
    max: 16,
    options: `-c search_path=${schema} -c synchronous_commit=${level === 'full' ? 'on' : 'off'}`,
  })
  await pool.query(`create schema ${schema};
    create table nodes (seq bigserial primary key, id text not null, version integer not null, concept text not null,
      owner text not null, created_at bigint not null, status text, payload json not null, unique (id, version));
    create table heads (id text primary key, seq bigint not null, version integer not null, concept text not null,
      owner text not null, status text, created_at bigint not null);
    create index heads_concept on heads (owner, concept, seq);
    create index heads_ready on heads (seq) where status = 'ready'`)
  const claim = {
    name: 'claim',
    text: `with r as (
        select id, version from heads where status = 'ready' order by seq limit 1 for update skip locked
      ), n as (
        insert into nodes (id, version, concept, owner, created_at, status, payload)
        select id, version + 1, 'step', 'ada', $1, 'running', json_build_object('title', id, 'status', 'running') from r
        returning id, seq, version
      )
      update heads h set seq = n.seq, version = n.version, status = 'running' from n where h.id = n.id
      returning h.id, h.version`,
  }
  const complete = {
    name: 'complete',
    text: `with n as (
        insert into nodes (id, version, concept, owner, created_at, status, payload)
        values ($1::text, $2::int + 1, 'step', 'ada', $3, 'done', json_build_object('title', $1::text, 'status', 'done'))
        returning id, seq, version
      )
      update heads h set seq = n.seq, version = n.version, status = 'done' from n where h.id = n.id and h.version = $2`,
  }
  let added = 0
  return {
    async addReady(count) {
      const ids = Array.from({ length: count }, () => `s${(added += 1)}`)
      await pool.query(
        `with n as (
            insert into nodes (id, version, concept, owner, created_at, status, payload)
            select id, 1, 'step', 'ada', 0, 'ready', '{}' from unnest($1::text[]) id returning seq, id
          )
          insert into heads (id, seq, version, concept, owner, status, created_at)
          select id, seq, 1, 'step', 'ada', 'ready', 0 from n`,
        [ids],
      )
    },
    async run(count, concurrency) {
      let left = count
      const loop = async () => {
        while (left > 0) {
          left -= 1
          const { rows } = await pool.query({ ...claim, values: [Date.now()] })
          const { id, version } = rows[0]
          await pool.query({ ...complete, values: [id, version, Date.now()] })
        }
      }
      await Promise.all(Array.from({ length: concurrency }, loop))
    },
    close: () => pool.end(),
  }
}
