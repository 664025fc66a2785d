// @ts-check
/** Steps that are claimed, run and completed, compared with the floor and with other libraries. */
import { compare, interleave } from '../frame.mjs'
import { postgresFloor, sqliteFloor } from './floor.mjs'
import { graphileWorker, openWorkflowOnPostgres, openWorkflowOnSqlite, pgBoss } from './peers.mjs'
import { harnessOf, manySteps, workUntil } from './plans.mjs'
import { openStore } from './stores.mjs'

/** @typedef {import('../frame.mjs').Settings} Settings */

/** Steps before the measurement, so that compiling the code does not count as a cost of a step. */
const warmUpSteps = 1200
/** Openworkflow allows a workflow a thousand steps. */
const atMost = 400

/**
 * @param {import('./stores.mjs').Home} home
 * @param {{ readonly concurrency: number, readonly level: import('./stores.mjs').Level }} options
 * @returns {(settings: Settings) => Promise<import('../frame.mjs').Measurement>}
 */
export function throughput(home, { concurrency, level }) {
  return async ({ repeats, scale, scratch }) => {
    // On a file a round takes less than a second.
    const rounds = Math.max(home.name === 'sqlite' ? 9 : 5, Math.round((repeats * scale) / 3))
    const steps = concurrency === 1 ? 400 : 1600
    const store = await openStore(await home.newAddress(scratch, 'ours'))
    const floor = home.name === 'sqlite' ? await sqliteFloor(scratch, level) : await postgresFloor(level)
    const { peers, absent } = await peersOn(home, { scratch, level })
    let plans = 0
    /** Each runs so many steps and answers the milliseconds. @type {Record<string, (count: number) => Promise<number>>} */
    const contenders = {
      async ours(count) {
        const owner = `ada${(plans += 1)}`
        const planned = manySteps(count, { nature: level === 'full' ? 'effectful' : 'idempotent' })
        await harnessOf(store, owner).createPlan({ goal: 'much', steps: planned })
        return workUntil(store, { owner, slots: concurrency, done: (ended) => ended === count })
      },
      async floor(count) {
        await floor.addReady(count)
        const began = performance.now()
        await floor.run(count, concurrency)
        return performance.now() - began
      },
      ...Object.fromEntries(
        Object.entries(peers).map(([name, { run }]) => [name, async (count) => run(count, concurrency)]),
      ),
    }
    const warmUp = Math.max(concurrency, Math.round(warmUpSteps * scale))
    for (const run of Object.values(contenders))
      for (let left = warmUp; left > 0; left -= atMost) await run(Math.min(left, atMost))
    const figures = await interleave(
      Object.fromEntries(
        Object.entries(contenders).map(([name, run]) => {
          // Peers are slower, so a part of the steps is enough to measure them.
          const count = Object.hasOwn(peers, name) ? steps / 4 : steps
          return [name, async () => (count / (await run(count))) * 1000]
        }),
      ),
      rounds,
    )
    await store.close()
    await floor.close()
    for (const { close } of Object.values(peers)) await close()
    const ours =
      level === 'full' ? 'steps that must not run twice: intent and completion are flushed' : 'steps that may run twice'
    const says = `durability ${home.durability[level]}; concurrency ${concurrency}, one worker process; ${ours}; the floor is one claim and one completion; each contender did ${warmUp} steps before the first measured round`
    return { ...compare(figures, 'more'), notes: [says, ...absent] }
  }
}

/** @param {import('./stores.mjs').Home} home @param {{ readonly scratch: string, readonly level: import('./stores.mjs').Level }} options */
async function peersOn(home, { scratch, level }) {
  if (home.name === 'postgres') {
    const [openworkflow, boss, graphile] = [
      await openWorkflowOnPostgres(level),
      await pgBoss(level),
      await graphileWorker(level),
    ]
    return { peers: { openworkflow, 'pg-boss': boss, 'graphile-worker': graphile }, absent: [] }
  }
  const openworkflow = await openWorkflowOnSqlite(scratch, level)
  const absent = [`openworkflow has no SQLite on Node ${process.versions.node}: it needs node:sqlite`]
  return openworkflow === undefined ? { peers: {}, absent } : { peers: { openworkflow }, absent: [] }
}
