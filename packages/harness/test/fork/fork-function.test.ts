import { createInMemoryStore } from '@agentm/conformance/logs'
import {
  durable,
  harnessConcepts,
  openHarness,
  replayAgainst,
  type Run,
  startWorker,
  type Worker,
} from '@agentm/harness'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

const shape = { input: z.object({}).loose() }

describe('a fork from inside a durable function', () => {
  let store: ReturnType<typeof createInMemoryStore>
  let worker: Worker | undefined
  beforeEach(() => {
    store = createInMemoryStore({ concepts: harnessConcepts })
  })
  afterEach(async () => {
    await worker?.stop()
    await store.close()
  })
  const harnessOf = () => openHarness({ store, owner: 'ada', actor: 'test' })
  const work = async (body: (run: Run) => Promise<unknown>) => {
    const job = durable('job', shape, body)
    worker = await startWorker({ store, owners: ['ada'], kinds: [job], onError: () => undefined })
    return job
  }

  it('is given what was recorded before that place, and runs live from there', async () => {
    const calls: string[] = []
    const job = await work(async (run) => {
      const a = await run.step('a', () => calls.push('a'))
      const [b, c] = await Promise.all([run.step('b', () => calls.push('b')), run.step('c', () => calls.push('c'))])
      const seen = { random: run.random(), id: run.newId() }
      const d = await run.step('d', () => calls.push('d'))
      return { a, b, c, d, ...seen, now: run.now() > 0 }
    })
    const harness = harnessOf()
    const first = await harness.start(job, {}, { id: 'one' })
    const was = await first.result()
    const fork = await harness.forkPlan('one', { from: 'd' })
    const again = harness.run(fork.planId)
    expect(await again.result()).toEqual({ ...(was as object), d: 5 })
    expect(calls).toEqual(['a', 'b', 'c', 'd', 'd'])
    expect((await replayAgainst(await again.history(), job)).ended).toBe('done')
  })

  it('goes on from a place by its number where a name was recorded several times', async () => {
    let calls = 0
    const job = await work(async (run) => {
      const got: number[] = []
      for (let i = 0; i < 3; i++) got.push(await run.step('same', () => (calls += 1)))
      return got
    })
    const harness = harnessOf()
    await (await harness.start(job, {}, { id: 'one' })).result()
    await expect(harness.forkPlan('one', { from: 'same' })).rejects.toThrow('Name one of them: #0, #1, #2')
    const fork = await harness.forkPlan('one', { from: '#2' })
    expect(await harness.run(fork.planId).result()).toEqual([1, 2, 4])
  })

  it('does not take back what the original did, and is refused where the original took it back', async () => {
    const undone: string[] = []
    let isBroken = true
    const job = await work(async (run) => {
      await run.step('charge', () => 'paid', { undo: () => void undone.push('charge') })
      await run.step('check', () => 'fine')
      await run.step('ship', () => {
        if (isBroken) throw Object.assign(new Error('no'), { retryable: false })
        return 'sent'
      })
      return 'ok'
    })
    const harness = harnessOf()
    await (await harness.start(job, {}, { id: 'one' })).result().catch(() => undefined)
    expect(undone).toEqual(['charge'])
    await expect(harness.forkPlan('one', { from: 'check' })).rejects.toThrow('took that back later')
    isBroken = false
    await (await harness.start(job, {}, { id: 'two' })).result()
    isBroken = true
    const fork = await harness.forkPlan('two', { from: 'ship' })
    await harness
      .run(fork.planId)
      .result()
      .catch(() => undefined)
    expect(undone).toEqual(['charge'])
  })

  it('hears its own signals, not those that the original took', async () => {
    const job = await work(async (run) => {
      const first = await run.signal<string>('go')
      await run.step('note', () => first)
      return [first, await run.signal<string>('go')]
    })
    const harness = harnessOf()
    const one = await harness.start(job, {}, { id: 'one' })
    await one.signal('go', 'a')
    await one.signal('go', 'b')
    expect(await one.result()).toEqual(['a', 'b'])
    const fork = harness.run((await harness.forkPlan('one', { from: 'note' })).planId)
    await fork.signal('go', 'c')
    expect(await fork.result()).toEqual(['a', 'c'])
  })

  it('keeps the input that the recorded part came from', async () => {
    const job = await work(async (run) => run.step('a', () => 1))
    const harness = harnessOf()
    await (await harness.start(job, { x: 1 }, { id: 'one' })).result()
    await expect(harness.forkPlan('one', { from: 'a', stepInput: { x: 2 } })).rejects.toThrow('not both')
    const fork = await harness.forkPlan('one', { from: 'run', stepInput: { x: 2 } })
    expect((await harness.step(fork.steps['run'] ?? '')).payload.input).toEqual({ x: 2 })
  })
})
