import { createInMemoryStore } from '@agentm/conformance/logs'
import type { NodeStore } from '@agentm/nodes'
import { CorruptStoreError, StoreBusyError } from '@agentm/nodes/store-kit'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { harnessConcepts } from '../src/index.ts'
import { type Setup, setup, steps, untilAborted } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** A store that is damaged from some moment on: every call fails, as with a page that cannot be read. */
function breakable() {
  const whole = createInMemoryStore({ concepts: harnessConcepts })
  const calls = { whileBroken: 0 }
  const state: { isBroken: (call: string) => boolean } = { isBroken: () => false }
  const part = <T extends object>(given: T): T =>
    new Proxy(given, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function' || name === 'feed') return member
        return async (...args: readonly unknown[]) => {
          if (!state.isBroken(String(name))) return member.apply(target, args)
          calls.whileBroken += 1
          throw new CorruptStoreError('the log is damaged')
        }
      },
    })
  const store: NodeStore = { ...whole, log: part(whole.log), work: part(whole.work) }
  const made = setup({ long: untilAborted }, { store })
  open.push(made)
  return { ...made, whole, calls, break: (which: (call: string) => boolean = () => true) => (state.isBroken = which) }
}

it('a worker ends by itself when its store is damaged, says so once, and stops what it runs', async () => {
  const world = breakable()
  const { planId } = await world.harness.createPlan({ goal: 'g', steps: steps({ long: [] }) })
  const worker = await world.worker({ leaseMs: 300, pollMs: 50 })
  while (world.ran.length === 0) await sleep(5)
  world.break()
  await expect(worker.ended).rejects.toMatchObject({ code: 'CORRUPT_STORE' })
  await expect(worker.idle()).rejects.toMatchObject({ code: 'CORRUPT_STORE' })
  expect(world.errors).toEqual([expect.objectContaining({ code: 'CORRUPT_STORE' })])
  const { whileBroken } = world.calls
  await sleep(700)
  expect(world.calls.whileBroken).toBe(whileBroken)
  const { nodes } = await world.whole.log.scan({ owner: 'ada', parent: planId })
  expect(nodes.map(({ status }) => status)).toContain('running')
})

it('a worker whose store is damaged at the start leaves no session and nothing that goes on', async () => {
  const world = breakable()
  world.break((name) => name === 'abandoned')
  await expect(world.worker({ leaseMs: 300 })).rejects.toMatchObject({ code: 'CORRUPT_STORE' })
  expect(await world.whole.work.sessions()).toEqual([])
})

it('a worker that is stopped ends without a fault', async () => {
  const world = breakable()
  const worker = await world.worker()
  await Promise.all([worker.stop(), worker.stop(), worker.ended])
  expect(world.errors).toEqual([])
})

it('a worker whose claims failed for a moment claims again soon, and does not wait until it looks next by itself', async () => {
  const whole = createInMemoryStore({ concepts: harnessConcepts })
  let [failures, firstAt] = [0, 0]
  const take: NodeStore['work']['take'] = async (options) => {
    const { nodes } = await whole.log.scan({ owner: 'ada', status: 'ready' })
    if (nodes.length > 0) firstAt ||= Date.now()
    // Longer than the pause after one failure, so that no event of the new plan rings again.
    if (nodes.length === 0 || Date.now() - firstAt > 700) return whole.work.take(options)
    failures += 1
    throw new StoreBusyError(1)
  }
  const world = setup({ quick: async () => ({ end: 'done' }) }, { store: { ...whole, work: { ...whole.work, take } } })
  open.push(world)
  await world.worker({ pollMs: 60_000 })
  await sleep(1200)
  const { planId } = await world.harness.createPlan({ goal: 'g', steps: steps({ quick: [] }) })
  const { payload } = await world.harness.ended(planId, { signal: AbortSignal.timeout(10_000) })
  expect(payload.status).toBe('done')
  expect(failures).toBeGreaterThan(1)
})
