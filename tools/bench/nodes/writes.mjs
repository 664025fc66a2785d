// @ts-check
/** Durable appends, one by one and in batches, and claims, beside the floor and a bare insert. */
import path from 'node:path'
import { compare, interleave } from '../frame.mjs'
import { generator } from './data.mjs'
import { openFloor } from './floor.mjs'
import { openOurs, rowOf } from './filled.mjs'
import { ada, draftOf, items } from './items.mjs'
import { addReadySteps, claimOne } from './steps.mjs'

/** @param {number} perCall @param {number} calls @returns {(settings: import('../frame.mjs').Settings) => Promise<import('../frame.mjs').Measurement>} */
export function appends(perCall, calls) {
  return async ({ repeats, scale, scratch }) => {
    const ours = await openOurs(scratch)
    const floor = openFloor(path.join(scratch, 'floor.db'))
    const from = generator(7)
    const rounds = Math.max(3, Math.round(repeats * scale))
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
          const rows = batches().map((batch) => batch.map((item) => rowOf(item, Date.now())))
          return perSecond(perCall * calls, async () => rows.forEach((batch) => floor.append(batch)))
        },
        'bare insert': async () => {
          const rows = batches().map((batch) => batch.map(({ content }) => JSON.stringify({ content })))
          return perSecond(perCall * calls, async () => rows.forEach((batch) => floor.bare(batch)))
        },
      },
      rounds,
    )
    await ours.close()
    floor.close()
    return { ...compare(figures, 'more'), notes: ['durability full; node, head, 256 dimensions and 24 words each'] }
  }
}

/** @param {import('../frame.mjs').Settings} settings @returns {Promise<import('../frame.mjs').Measurement>} */
export async function claims({ repeats, scale, scratch }) {
  const ours = await openOurs(scratch)
  const floor = openFloor(path.join(scratch, 'floor.db'))
  const each = 200
  const rounds = Math.max(3, Math.round(repeats * scale))
  floor.database.exec('pragma synchronous = normal; begin')
  for (let i = 0; i < each * rounds; i++) floor.addReady(`s${i}`)
  floor.database.exec('commit')
  await addReadySteps(ours, 's', each * rounds)
  const { id: session } = await ours.work.openSession({ actor: 'bench', leaseMs: 3_600_000 })
  const figures = await interleave(
    {
      ours: async () =>
        perSecond(each, async () => {
          for (let i = 0; i < each; i++) await claimOne(ours, session)
        }),
      floor: async () =>
        perSecond(each, async () => {
          for (let i = 0; i < each; i++) floor.claim()
        }),
    },
    rounds,
  )
  await ours.close()
  floor.close()
  return { ...compare(figures, 'more'), notes: ['durability normal; one claim per transaction, fairly chosen'] }
}

/** @param {number} count @param {() => Promise<void>} work */
async function perSecond(count, work) {
  const started = performance.now()
  await work()
  return (count / (performance.now() - started)) * 1000
}
