// @ts-check
/** Steps claimed, run and completed, beside the floor and what others do. */
import { compare, interleave } from '../frame.mjs'
import { postgresFloor, sqliteFloor } from './floor.mjs'
import { graphileWorker, openWorkflowOnPostgres, openWorkflowOnSqlite, pgBoss } from './peers.mjs'
import { harnessOf, manySteps, workUntil } from './plans.mjs'
import { openStore } from './stores.mjs'

/** @typedef {import('../frame.mjs').Settings} Settings */

/**
 * @param {import('./stores.mjs').Home} home
 * @param {{ readonly concurrency: number, readonly level: import('./stores.mjs').Level }} options
 * @returns {(settings: Settings) => Promise<import('../frame.mjs').Measurement>}
 */
export function throughput(home, { concurrency, level }) {
  return async ({ repeats, scale, scratch }) => {
    const rounds = Math.max(3, Math.round((repeats * scale) / 3))
    const steps = concurrency === 1 ? 400 : 1600
    const store = await openStore(await home.newAddress(scratch, 'ours'))
    const floor = home.name === 'sqlite' ? await sqliteFloor(scratch, level) : await postgresFloor(level)
    const { peers, absent } = await peersOn(home, { scratch, level })
    let round = 0
    const figures = await interleave(
      {
        async ours() {
          const owner = `ada${(round += 1)}`
          await harnessOf(store, owner).createPlan({
            goal: 'much',
            steps: manySteps(steps, { nature: level === 'full' ? 'effectful' : 'idempotent' }),
          })
          const ms = await workUntil(store, { owner, slots: concurrency, done: (ended) => ended === steps })
          return (steps / ms) * 1000
        },
        async floor() {
          await floor.addReady(steps)
          const began = performance.now()
          await floor.run(steps, concurrency)
          return (steps / (performance.now() - began)) * 1000
        },
        ...Object.fromEntries(
          Object.entries(peers).map(([name, { run }]) => {
            // They are slower; a part of it says the same.
            const fewer = steps / 4
            return [name, async () => (fewer / (await run(fewer, concurrency))) * 1000]
          }),
        ),
      },
      rounds,
    )
    await store.close()
    await floor.close()
    for (const { close } of Object.values(peers)) await close()
    const ours =
      level === 'full' ? 'steps that must not run twice: intent and completion are flushed' : 'steps that may run twice'
    const says = `durability ${home.durability[level]}; concurrency ${concurrency}, one worker process; ${ours}; the floor is one claim and one completion`
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
