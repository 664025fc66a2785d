// @ts-check
/** The floor: for each durable step one committed insert of a row like the one that ours writes, and nothing else. */
import path from 'node:path'
import pg from 'pg'
import { peerUser } from '../harness/peers.mjs'
import { DatabaseSync } from '../nodes/sqlite.mjs'
import { ownServer } from '../nodes-postgres/own-store.mjs'

/** @typedef {{ readonly insert: (count: number) => Promise<void>, readonly close: () => Promise<void> }} Floor */

const columns = 'id text not null, version integer not null, concept text not null, owner text not null, status text'

/** @param {number} i */
const payload = (i) =>
  JSON.stringify({
    ownerUserId: 'ada',
    planId: 'v1:harness:plan:order-1',
    stepId: 'v1:harness:step:order-1',
    position: i,
    op: 'step',
    name: 'reserve',
    status: 'done',
    value: { reservation: `r-${i}` },
  })

/** @param {string} scratch @param {import('../harness/stores.mjs').Level} level @returns {Promise<Floor>} */
export async function sqliteFloor(scratch, level) {
  const database = new DatabaseSync(path.join(scratch, 'floor.db'))
  database.exec(`pragma journal_mode = wal; pragma synchronous = ${level};
    create table entries (seq integer primary key, ${columns}, created_at real not null, payload text not null, unique (id, version))`)
  const row = database.prepare(
    "insert into entries (id, version, concept, owner, status, created_at, payload) values (?, 1, 'v1:harness:entry', 'ada', 'done', ?, ?)",
  )
  let written = 0
  return {
    async insert(count) {
      for (let i = 0; i < count; i++) row.run(`v1:harness:entry:${(written += 1)}`, Date.now(), payload(i))
    },
    close: async () => database.close(),
  }
}

/** On sixteen connections, as many as a worker has slots. @param {import('../harness/stores.mjs').Level} level @returns {Promise<Floor>} */
export async function postgresFloor(level) {
  const server = await ownServer()
  const schema = server.newSchema()
  const pool = new pg.Pool({
    connectionString: (await peerUser(level)).tcp,
    max: 16,
    options: `-c search_path=${schema} -c synchronous_commit=${level === 'full' ? 'on' : 'off'}`,
  })
  await pool.query(`create schema ${schema};
    create table entries (seq bigserial primary key, ${columns}, created_at bigint not null, payload json not null, unique (id, version))`)
  const text =
    "insert into entries (id, version, concept, owner, status, created_at, payload) values ($1, 1, 'v1:harness:entry', 'ada', 'done', $2, $3)"
  let written = 0
  return {
    async insert(count) {
      let left = count
      const loop = async () => {
        for (; left > 0;) {
          left -= 1
          const values = [`v1:harness:entry:${(written += 1)}`, Date.now(), payload(left)]
          await pool.query({ name: 'insert', text, values })
        }
      }
      await Promise.all(Array.from({ length: 16 }, loop))
    },
    close: async () => pool.end(),
  }
}
