// @ts-check
/**
 * A process that works on a plan of its own until its input ends: it adds a step, claims it, and ends it. For each line of input it answers
 * with the times since the line before, in milliseconds.
 */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ada, draft } from './fill.mjs'
import { openStore } from '../harness/stores.mjs'

const [address = '{}', name = 'worker'] = process.argv.slice(2)
const store = await openStore(JSON.parse(address))
const { log, work } = store
const { id: session } = await work.openSession({ actor: name, leaseMs: 24 * 3_600_000 })
const options = { ...ada, partition: name }
await log.append([draft('plan', name, { goal: name }), draft('plan', name, { status: 'running' })], options)
let times = { append: /** @type {number[]} */ ([]), claim: /** @type {number[]} */ ([]) }
const end = new AbortController()
const input = createInterface({ input: process.stdin })
input.on('line', () => {
  console.log(JSON.stringify(times))
  times = { append: [], claim: [] }
})
input.on('close', () => end.abort())
console.log('ready')
for (let i = 0; !end.signal.aborted; i++) {
  const id = `${name}-${i}`
  const payload = { planId: name, title: id, idempotencyKey: id, kind: 'command' }
  times.append.push(
    await timed(async () => log.append([draft('step', id, payload), draft('step', id, { status: 'ready' })], options)),
  )
  const parents = [`v1:harness:plan:${name}`]
  times.claim.push(
    await timed(async () =>
      work.take({ session, owners: ['ada'], concepts: ['v1:harness:step'], actor: name, k: 1, parents }),
    ),
  )
  const done = { ...draft('step', id, { status: 'done', result: { i } }), unset: ['session'] }
  times.append.push(await timed(async () => log.append([done], options)))
  await sleep(2)
}
await store.close()

/** @param {() => Promise<unknown>} attempt */
async function timed(attempt) {
  const started = performance.now()
  await attempt()
  return performance.now() - started
}
