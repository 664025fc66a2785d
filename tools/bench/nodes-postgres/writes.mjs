// @ts-check
/** Durable appends, one by one and in batches, claims, and how soon a feed hears of an append. */
import { compare, interleave, median } from '../frame.mjs'
import { generator } from '../nodes/data.mjs'
import { ada, concept, draftOf, items } from '../nodes/items.mjs'
import { openFloor } from './floor.mjs'
import { openOurs, ownServer } from './own-store.mjs'

/** @typedef {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>} Measure */

/** @param {number} perCall @param {number} calls @returns {Measure} */
export function appends(perCall, calls) {
  return async ({ repeats, scale }) => {
    const server = await ownServer()
    const ours = await openOurs(server.newSchema())
    const floor = await openFloor(server.newSchema())
    const from = generator(7)
    let round = 0
    const batches = () => {
      round += 1
      return Array.from({ length: calls }, (_, n) => items(from, `r${round}-${n}-`, perCall))
    }
    const figures = await interleave(
      {
        ours: async () => {
          const drafts = batches().map((batch) => batch.map(draftOf))
          return perSecond(perCall * calls, async () => {
            for (const batch of drafts) await ours.log.append(batch, { ...ada, durability: 'full' })
          })
        },
        floor: async () => {
          const given = batches()
          return perSecond(perCall * calls, async () => {
            for (const batch of given) await floor.append(batch, Date.now())
          })
        },
        'bare insert': async () => {
          const rows = batches().map((batch) => batch.map(({ content }) => JSON.stringify({ content })))
          return perSecond(perCall * calls, async () => {
            for (const batch of rows) await floor.bare(batch)
          })
        },
      },
      Math.max(3, Math.round(repeats * scale)),
    )
    await ours.close()
    await floor.close()
    return {
      ...compare(figures, 'more'),
      notes: [
        `durability full, one at a time, over a socket; ${server.says}; node, head, 256 dimensions and 24 words each`,
      ],
    }
  }
}

/** @type {Measure} */
export async function claims({ repeats, scale }) {
  const server = await ownServer()
  const ours = await openOurs(server.newSchema())
  const floor = await openFloor(server.newSchema())
  const each = 200
  const rounds = Math.max(3, Math.round(repeats * scale))
  const ids = Array.from({ length: each * rounds }, (_, i) => `s${i}`)
  await floor.addReady(ids)
  const step = { concept: 'v1:sample:step', mutation: 'addBenchStep' }
  await ours.log.append(
    ids.flatMap((id) => [
      { ...step, id, payload: { title: id } },
      { ...step, id, payload: { status: 'ready' } },
    ]),
    ada,
  )
  const { id: session } = await ours.work.openSession({ actor: 'bench', leaseMs: 3_600_000 })
  const figures = await interleave(
    {
      ours: async () =>
        perSecond(each, async () => {
          for (let i = 0; i < each; i++) {
            const scope = { owners: ['ada'], concepts: ['v1:sample:step'], actor: 'bench' }
            const taken = await ours.work.take({ session, ...scope, k: 1, perPartition: 1e9 })
            if (taken.length !== 1) throw new Error('there was nothing left to claim')
          }
        }),
      floor: async () =>
        perSecond(each, async () => {
          for (let i = 0; i < each; i++) await floor.claim()
        }),
    },
    rounds,
  )
  await ours.close()
  await floor.close()
  return { ...compare(figures, 'more'), notes: ['durability normal; one claim per transaction, fairly chosen'] }
}

/** @type {Measure} */
export async function wakes({ repeats, scale }) {
  const schema = (await ownServer()).newSchema()
  const [writer, reader] = [await openOurs(schema), await openOurs(schema)]
  const stop = new AbortController()
  /** @type {((at: number) => void) | undefined} */
  let heard
  const following = (async () => {
    for await (const _ of reader.log.feed({ owner: 'ada', signal: stop.signal })) heard?.(performance.now())
  })()
  const times = []
  for (let i = 0; i < Math.max(20, Math.round(repeats * 4 * scale)); i++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const arrival = new Promise((/** @type {(at: number) => void} */ resolve) => (heard = resolve))
    await writer.log.append([{ concept, payload: { content: 'news' }, mutation: 'recordBench' }], ada)
    const committed = performance.now()
    times.push(Math.max(0, (await arrival) - committed))
  }
  stop.abort()
  await following
  await writer.close()
  await reader.close()
  const slowest = times.toSorted((a, b) => a - b).at(Math.floor(times.length * 0.99)) ?? 0
  return {
    ours: median(times),
    notes: [`from the acknowledged append to the event, two pools; p99 ${slowest.toFixed(1)} ms`],
  }
}

/** @param {number} count @param {() => Promise<void>} work */
async function perSecond(count, work) {
  const started = performance.now()
  await work()
  return (count / (performance.now() - started)) * 1000
}
