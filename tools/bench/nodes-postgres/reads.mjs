// @ts-check
/** Latest, scan and recall on filled stores, with pgvector and without, and a cold process's first answer. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { compare, interleave, median } from '../frame.mjs'
import { embedder, generator } from '../nodes/data.mjs'
import { ada, concept, draftOf, items } from '../nodes/items.mjs'
import { openFloor } from './floor.mjs'
import { openOurs, ownServer } from './own-store.mjs'

const halfLife = 7 * 24 * 3600
const spreadMs = 120 * 24 * 3600 * 1000

/** @typedef {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>} Measure */

/** @type {Map<number, ReturnType<typeof fill>>} */
const filled = new Map()

/** @param {number} size */
export function filledStores(size) {
  const known = filled.get(size) ?? fill(size)
  filled.set(size, known)
  return known
}

/** @param {number} size */
async function fill(size) {
  const server = await ownServer()
  const [schema, scanned, hand] = [server.newSchema(), server.newSchema(), server.newSchema()]
  let clock = Date.now() - spreadMs
  const runtime = { now: () => clock }
  const ours = await openOurs(schema, { runtime })
  const scanning = await openOurs(scanned, { runtime, vectors: 'scan' })
  const floor = await openFloor(hand)
  const from = generator(size)
  for (let done = 0; done < size; done += 1000) {
    const batch = items(from, `b${done}-`, 1000)
    for (const store of [ours, scanning]) await store.log.append(batch.map(draftOf), { ...ada, durability: 'normal' })
    await floor.append(batch, clock)
    clock += (spreadMs * 1000) / size
  }
  await floor.analyze()
  // The server would do it by itself within a minute.
  await analyzeAll([schema, scanned])
  if (size > 10_000) await untilIndexed(ours, schema)
  return { schema, scanned, ours, scanning, floor, now: () => clock }
}

/** @param {readonly string[]} schemas */
async function analyzeAll(schemas) {
  const client = new pg.Client({ connectionString: (await ownServer()).url })
  await client.connect()
  for (const schema of schemas)
    for (const table of ['nodes', 'heads', 'items', 'vectors']) await client.query(`analyze ${schema}.${table}`)
  await client.end()
}

/** @param {import('@agentm/nodes').NodeStore} store @param {string} schema */
export async function untilIndexed(store, schema) {
  if (!(await ownServer()).hasVectors) return
  const client = new pg.Client({ connectionString: (await ownServer()).url })
  await client.connect()
  const query = { owner: 'ada', text: 'x', vector: { embedder, values: generator(1).vector() } }
  for (let tries = 0; tries < 4000; tries++) {
    // A question begins the building; until it is there, each further one would compare everything.
    if (tries % 240 === 0) await store.recall.recall(query)
    const { rows } = await client.query(
      `select 1 from pg_index i join pg_stat_user_tables t on t.relid = i.indrelid where indexrelid = to_regclass($1)
        and indisvalid and last_analyze is not null and not exists (select from ${schema}.vectors where waits offset 2000)`,
      [`${schema}.vectors_nearest_1`],
    )
    if (rows.length > 0) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await client.end()
  await new Promise((resolve) => setTimeout(resolve, 1500))
}

/** @type {Measure} */
export async function latest({ repeats, scale }) {
  const { ours, floor } = await filledStores(10_000)
  const { random } = generator(11)
  const ids = () =>
    Array.from({ length: 300 }, () => `b${Math.floor(random() * 10) * 1000}-${Math.floor(random() * 1000)}`)
  const figures = await interleave(
    {
      ours: async () => microseconds(ids(), async (id) => ours.log.latest(`${concept}:${id}`, ada)),
      floor: async () => microseconds(ids(), async (id) => floor.latest(id)),
    },
    Math.max(3, Math.round(repeats * scale)),
  )
  return compare(figures, 'less')
}

/** @type {Measure} */
export async function scan({ repeats, scale }) {
  const { ours, floor } = await filledStores(10_000)
  const times = Array.from({ length: 30 }, () => '')
  const newest = { owner: 'ada', concepts: [concept], order: /** @type {const} */ ('newest'), limit: 50 }
  const figures = await interleave(
    {
      ours: async () => microseconds(times, async () => ours.log.scan(newest)),
      floor: async () => microseconds(times, async () => floor.newest()),
    },
    Math.max(3, Math.round(repeats * scale)),
  )
  return compare(figures, 'less')
}

/** @param {number} size @param {{ readonly words: boolean }} options @returns {Measure} */
export function recall(size, { words }) {
  return async ({ repeats, scale }) => {
    const { ours, scanning, floor, now } = await filledStores(size)
    const { hasVectors } = await ownServer()
    const from = generator(13)
    const weights = words ? { wSem: 0.5, wLex: 0.3, wRec: 0.2 } : {}
    const query = () => {
      const vector = { embedder, values: from.vector() }
      return { owner: 'ada', text: from.text(6), halfLife, at: now(), vector, ...weights }
    }
    let [widened, uncertified] = [0, 0]
    const figures = await interleave(
      {
        ours: async () => {
          const asked = query()
          return milliseconds(async () => {
            const answer = await ours.recall.recall(asked)
            widened += answer.widened
            uncertified += answer.certified ? 0 : 1
          })
        },
        'scan in process': async () => {
          const asked = query()
          return milliseconds(async () => scanning.recall.recall(asked))
        },
        ...(words || !hasVectors
          ? {}
          : {
              'pgvector, exact': async () => {
                const vector = from.vector()
                return milliseconds(async () => floor.recall(vector, now(), halfLife))
              },
              'pgvector, exact, newest versions': async () => {
                const vector = from.vector()
                return milliseconds(async () => floor.recallNewest(vector, now(), halfLife))
              },
            }),
      },
      Math.max(5, Math.round(repeats * scale)),
    )
    return {
      ...compare(figures, 'less'),
      counts: { uncertified },
      notes: [
        `${size} × 256 dimensions; lists were widened ${widened} times`,
        ...(hasVectors
          ? []
          : ['pgvector is not installed, so its columns are left out; tools/postgres.sh installs it']),
      ],
    }
  }
}

/** @type {Measure} */
export async function cold({ repeats, scale }) {
  const { schema, scanned } = await filledStores(100_000)
  const { url } = await ownServer()
  const script = path.join(import.meta.dirname, 'cold-process.mjs')
  /** @param {string} name @param {string} vectors */
  const once = async (name, vectors) =>
    Number((await promisify(execFile)(process.execPath, [script, url, name, vectors])).stdout)
  const [times, scans] = [[], []].map((list) => /** @type {number[]} */ (list))
  for (let i = 0; i < Math.max(3, Math.round(Math.min(repeats, 7) * scale)); i++) {
    times?.push(await once(schema, 'auto'))
    scans?.push(await once(scanned, 'scan'))
  }
  return {
    ours: median(times ?? []),
    peers: { 'scan in process': median(scans ?? []) },
    notes: ['a new process each time, from before the open to after the first answer'],
  }
}

/** @param {readonly string[]} list @param {(each: string) => Promise<unknown>} work */
async function microseconds(list, work) {
  const started = performance.now()
  for (const each of list) await work(each)
  return ((performance.now() - started) * 1000) / list.length
}

/** @param {() => Promise<unknown>} work */
async function milliseconds(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}
