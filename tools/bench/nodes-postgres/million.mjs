// @ts-check
/** A schema of its own for the million, with its index built before anything is asked, and gone afterwards. */
import pg from 'pg'
import { generator } from '../nodes/data.mjs'
import { ada, draftOf, items } from '../nodes/items.mjs'
import { openOurs, ownServer } from './own-store.mjs'
import { untilIndexed } from './reads.mjs'

/** @returns {Promise<import('../nodes/million.mjs').Opened>} */
export async function openMillion() {
  const server = await ownServer()
  const schema = server.newSchema()
  const store = await openOurs(schema, { statementTimeoutMs: 600_000 })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  // What pgvector advises for an index that is built over many vectors.
  await client.query(`alter system set maintenance_work_mem = '2GB'`)
  await client.query('select pg_reload_conf()')
  return {
    store,
    async settled() {
      const started = performance.now()
      await untilIndexed(store, schema)
      const seconds = (performance.now() - started) / 1000
      return `an HNSW index was built in ${seconds.toFixed(0)} s after they were there; with it, ${await rateWithIndex(store)} appends/s in batches of 100`
    },
    async remove() {
      await store.close()
      await client.query(`drop schema ${schema} cascade`)
      await client.query('alter system reset maintenance_work_mem')
      await client.query('select pg_reload_conf()')
      await client.end()
    },
  }
}

/** @param {import('@agentm/nodes').NodeStore} store */
async function rateWithIndex({ log }) {
  const from = generator(47)
  const started = performance.now()
  for (let i = 0; i < 10; i++)
    await log.append(items(from, `indexed${i}-`, 100).map(draftOf), { ...ada, durability: 'normal' })
  return Math.round(1000 / ((performance.now() - started) / 1000))
}
