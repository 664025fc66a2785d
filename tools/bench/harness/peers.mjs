// @ts-check
/**
 * The same work with other libraries: a step or job that does nothing is claimed and completed, one at a time. Their commits are as
 * durable as those they are compared with. Jobs that a library fetches by polling are fetched in a loop instead.
 */
import pg from 'pg'
import { peer } from '../frame.mjs'
import { ownServer } from '../nodes-postgres/own-store.mjs'

/** @typedef {import('./stores.mjs').Level} Level */

/**
 * Runs `count` jobs, `concurrency` at once. Returns the milliseconds from the first start to the last end.
 * @typedef {{ readonly run: (count: number, concurrency: number) => Promise<number>, readonly close: () => Promise<void> }} Peer
 */

/** Steps of workflows, each of them recorded. @param {string} scratch @param {Level} level @returns {Promise<Peer | undefined>} */
export async function openWorkflowOnSqlite(scratch, level) {
  const { getBuiltinModule } = /** @type {{ getBuiltinModule?: (name: string) => unknown }} */ (process)
  if (getBuiltinModule?.('node:sqlite') === undefined) return undefined
  const { BackendSqlite } = await peer('openworkflow/sqlite')
  const backend = BackendSqlite.connect(`${scratch}/openworkflow.db`)
  // It has no setting for this.
  backend.db.exec('pragma synchronous = ' + level)
  return openWorkflow(backend)
}

/** @param {Level} level @returns {Promise<Peer>} */
export async function openWorkflowOnPostgres(level) {
  const { tcp } = await peerUser(level)
  const { BackendPostgres } = await peer('openworkflow/postgres')
  return openWorkflow(await BackendPostgres.connect(tcp))
}

/** @param {{ stop: () => Promise<void> }} backend */
async function openWorkflow(backend) {
  const { OpenWorkflow } = await peer('openworkflow')
  const workflows = new OpenWorkflow({ backend })
  let [began, each] = [0, 0]
  const workflow = workflows.defineWorkflow(
    { name: 'nothing' },
    async (
      /** @type {{ step: { run: (options: { name: string }, work: () => Promise<number>) => Promise<number> } }} */ {
        step,
      },
    ) => {
      for (let i = 0; i < each; i++)
        await step.run({ name: `s${i}` }, async () => {
          if (began === 0) began = performance.now()
          return i
        })
      return each
    },
  )
  return {
    /** @param {number} count @param {number} concurrency */
    async run(count, concurrency) {
      each = Math.ceil(count / concurrency)
      began = 0
      const runs = await Promise.all(Array.from({ length: concurrency }, () => workflow.run({})))
      const worker = workflows.newWorker({ concurrency })
      await worker.start()
      await Promise.all(runs.map((run) => run.result()))
      const elapsed = performance.now() - began
      await worker.stop()
      return elapsed
    },
    close: () => backend.stop(),
  }
}

/** @param {Level} level @returns {Promise<Peer>} */
export async function pgBoss(level) {
  const { url } = await peerUser(level)
  const { default: PgBoss } = await peer('pg-boss')
  const boss = new PgBoss({ connectionString: url, schema: 'boss', max: 16, supervise: false, schedule: false })
  await boss.start()
  let queues = 0
  return {
    async run(count, concurrency) {
      const queue = `q${(queues += 1)}`
      await boss.createQueue(queue)
      await boss.insert(Array.from({ length: count }, (_, i) => ({ name: queue, data: { title: `s${i}` } })))
      let left = count
      const loop = async () => {
        while (left > 0) {
          left -= 1
          const [job] = await boss.fetch(queue)
          await boss.complete(queue, job.id)
        }
      }
      const began = performance.now()
      await Promise.all(Array.from({ length: concurrency }, loop))
      return performance.now() - began
    },
    close: () => boss.stop({ graceful: false, wait: true }),
  }
}

/** @param {Level} level @returns {Promise<Peer>} */
export async function graphileWorker(level) {
  const { url } = await peerUser(level)
  const { run, Logger, makeWorkerUtils } = await peer('graphile-worker')
  const pgPool = new pg.Pool({ connectionString: url, max: 20 })
  const logger = new Logger(() => () => undefined)
  const utils = await makeWorkerUtils({ pgPool, logger })
  await utils.migrate()
  return {
    async run(count, concurrency) {
      await pgPool.query(`select graphile_worker.add_job('nothing', '{}'::json) from generate_series(1, $1::int)`, [
        count,
      ])
      let [began, over, ended] = [0, 0, 0]
      /** @type {((value?: unknown) => void) | undefined} */
      let finish
      const finished = new Promise((resolve) => (finish = resolve))
      const nothing = async () => {
        if (began === 0) began = performance.now()
      }
      const runner = await run({ pgPool, concurrency, logger, noHandleSignals: true, taskList: { nothing } })
      runner.events.on('job:complete', () => {
        ended += 1
        over = performance.now()
        if (ended === count) finish?.()
      })
      await finished
      await runner.stop()
      return over - began
    },
    async close() {
      await utils.release()
      await pgPool.end()
    },
  }
}

/** @type {Map<Level, Promise<{ url: string, tcp: string }>>} */
const users = new Map()

/** A user whose sessions begin with this durability. @param {Level} level */
export function peerUser(level) {
  const user = users.get(level) ?? createPeerUser(level)
  users.set(level, user)
  return user
}

/** @param {Level} level */
async function createPeerUser(level) {
  const server = await ownServer()
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`create role peer_${level} superuser login password 'peers';
    alter role peer_${level} set synchronous_commit = ${level === 'full' ? 'on' : 'off'}`)
  await client.end()
  return {
    url: server.url.replace('tester@', `peer_${level}@`),
    tcp: `postgres://peer_${level}:peers@127.0.0.1:${server.port}/postgres`,
  }
}
