// @ts-check
/** Each engine, opened on a store, with its three programs behind one interface. */
import { harnessConcepts, openHarness, startWorker } from '@agentm/harness'
import { virtualTime } from '@agentm/harness/testing'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import path from 'node:path'
import pg from 'pg'
import { peer } from '../frame.mjs'
import { peerUser } from '../harness/peers.mjs'
import { ownServer } from '../nodes-postgres/own-store.mjs'
import { provideNodeSqlite } from './node-sqlite.mjs'

/**
 * @typedef {import('../harness/stores.mjs').Level} Level
 * @typedef {import('./services.mjs').Order} Order
 * @typedef {{ readonly tag: string, readonly hosts: readonly string[] }} Rollout
 * @typedef {{ readonly customer: string, readonly days: number }} Subscription
 */

/**
 * @typedef {object} Engine
 * @property {(order: Order) => Promise<unknown>} placeOrder
 * @property {(rollout: Rollout) => Promise<unknown>} rollOut
 * @property {(tag: string) => Promise<void>} approve
 * @property {(subscription: Subscription) => Promise<unknown>} subscribe
 * @property {(work: () => Promise<void>) => Promise<void>} during runs `work` while a worker is there
 * @property {string} says its durability, and how long a day is
 * @property {() => Promise<void>} close
 */

/** How many runs a worker works on at once. DBOS has no limit. */
const slots = 64
const dayMs = 24 * 60 * 60_000
/** The length of a day where time is real. */
const shortDayMs = 1

/** @param {string} scratch @param {Level} level @returns {Promise<Engine>} */
export async function oursOnSqlite(scratch, level) {
  const time = virtualTime()
  const file = path.join(scratch, 'ours.db')
  const options = { path: file, concepts: harnessConcepts, durability: level }
  const real = await ours(await openSqliteStore(options), { dayMs: shortDayMs })
  const virtualFile = { ...options, path: path.join(scratch, 'virtual.db') }
  const store = await openSqliteStore({ ...virtualFile, runtime: time.runtime })
  const virtual = await ours(store, { dayMs, settings: time.worker })
  return {
    ...real,
    subscribe: async (subscription) => time.until(virtual.subscribe(subscription)),
    says: `ours: synchronous = ${level}, a day of virtual time is a day`,
    async close() {
      await real.close()
      await time.until(virtual.close())
    },
  }
}

/** @param {Level} level @returns {Promise<Engine>} */
export async function oursOnPostgres(level) {
  const server = await ownServer()
  // The same way to the server as the peers have; a password in the URL is refused.
  const target = new URL((await peerUser(level)).tcp)
  process.env['PGPASSWORD'] = target.password
  target.password = ''
  const options = { url: target.href, schema: server.newSchema(), concepts: harnessConcepts, durability: level }
  const engine = await ours(await openPostgresStore(options), { dayMs: shortDayMs })
  return { ...engine, says: `ours: synchronous_commit = ${level === 'full' ? 'on' : 'off'}, a day is ${shortDayMs} ms` }
}

/**
 * @param {import('@agentm/nodes').NodeStore} store
 * @param {{ readonly dayMs: number, readonly settings?: Partial<import('@agentm/harness').WorkerOptions> }} options
 * @returns {Promise<Engine>}
 */
async function ours(store, options) {
  const { orderSaga, placeOrder } = await import('./ours/order-saga.mjs')
  const { approve, rollout, rollOut } = await import('./ours/rollout.mjs')
  const { subscribe, subscription } = await import('./ours/subscription.mjs')
  const harness = openHarness({ store, owner: 'ada', actor: 'bench' })
  const kinds = [orderSaga, rollout, subscription]
  const worker = await startWorker({ store, owners: ['ada'], kinds, slots, perPartition: slots, ...options.settings })
  return {
    placeOrder: async (order) => placeOrder(harness, order),
    rollOut: async (input) => rollOut(harness, { ...input, hosts: [...input.hosts] }),
    approve: async (tag) => approve(harness, tag),
    subscribe: async (input) => subscribe(harness, { ...input, dayMs: options.dayMs }),
    during: async (work) => work(),
    says: '',
    async close() {
      await worker.stop()
      await store.close()
    },
  }
}

/** @param {string} scratch @param {Level} level @returns {Promise<Engine>} */
export async function openWorkflowOnSqlite(scratch, level) {
  await provideNodeSqlite()
  const { BackendSqlite } = await peer('openworkflow/sqlite')
  const backend = BackendSqlite.connect(path.join(scratch, 'openworkflow.db'))
  const own = Object.values(backend.db.prepare('pragma synchronous').get())[0]
  backend.db.exec(`pragma synchronous = ${level}`)
  const engine = await openWorkflow(backend)
  const says = `openworkflow: synchronous = ${level} (${['off', 'normal', 'full'][own]} by itself, which it has no setting for)`
  return { ...engine, says: `${says}, a day is ${shortDayMs} ms, for it has no virtual time` }
}

/** @param {Level} level @returns {Promise<Engine>} */
export async function openWorkflowOnPostgres(level) {
  const { tcp } = await peerUser(level)
  const { BackendPostgres } = await peer('openworkflow/postgres')
  const engine = await openWorkflow(await BackendPostgres.connect(tcp, { schema: `openworkflow_${level}` }))
  return { ...engine, says: `openworkflow: ${await setBy(tcp)}, a day is ${shortDayMs} ms` }
}

/** @param {{ stop: () => Promise<void> }} backend @returns {Promise<Engine>} */
async function openWorkflow(backend) {
  const { OpenWorkflow } = await peer('openworkflow')
  const { orderSaga, placeOrder } = await import('./openworkflow/order-saga.mjs')
  const { approve, deployAll, rollout, rollOut } = await import('./openworkflow/rollout.mjs')
  const { subscribe, subscription } = await import('./openworkflow/subscription.mjs')
  const client = new OpenWorkflow({ backend })
  for (const { spec, fn } of [orderSaga, deployAll, rollout, subscription]) client.implementWorkflow(spec, fn)
  return {
    placeOrder: async (order) => placeOrder(client, order),
    rollOut: async (input) => rollOut(client, input),
    approve: async (tag) => approve(client, tag),
    subscribe: async (input) => subscribe(client, { ...input, dayMs: shortDayMs }),
    async during(work) {
      // A worker that finds nothing looks again after up to a second. A new one looks at once.
      const worker = client.newWorker({ concurrency: slots })
      await worker.start()
      await work()
      await worker.stop()
    },
    says: '',
    close: async () => backend.stop(),
  }
}

/** @param {Level} level @returns {Promise<Engine>} */
export async function dbosOnPostgres(level) {
  const { tcp } = await peerUser(level)
  const { DBOS } = await peer('@dbos-inc/dbos-sdk')
  const { placeOrder } = await import('./dbos/order-saga.mjs')
  const { approve, rollOut } = await import('./dbos/rollout.mjs')
  const { subscribe } = await import('./dbos/subscription.mjs')
  const schema = `dbos_${level}`
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: tcp, systemDatabaseSchemaName: schema, logger })
  await DBOS.launch()
  return {
    placeOrder,
    rollOut,
    approve,
    subscribe: async (input) => subscribe({ ...input, dayMs: shortDayMs }),
    during: async (work) => work(),
    says: `dbos: ${await setBy(tcp)}, a day is ${shortDayMs} ms, for it has no virtual time`,
    close: async () => DBOS.shutdown(),
  }
}

/** It would print each order that fails. */
const logger = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, () => {}]))

/** What a session of this user begins with, as the server says. @param {string} tcp */
async function setBy(tcp) {
  const client = new pg.Client({ connectionString: tcp })
  await client.connect()
  const { rows } = await client.query('show synchronous_commit')
  await client.end()
  return `synchronous_commit = ${rows[0].synchronous_commit}`
}
