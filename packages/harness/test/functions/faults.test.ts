/** What befalls a function from outside while it runs: a store that fails, a worker that is lost, messages that come together. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import { durable, harnessConcepts, openHarness, type Run, startWorker, type Worker } from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

describe('a durable function', () => {
  let inner: NodeStore
  let workers: Worker[]
  beforeEach(() => {
    inner = createInMemoryStore({ concepts: harnessConcepts })
    workers = []
  })
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop({ graceMs: 0 })))
    await inner.close()
  })

  const begin = async (body: (run: Run) => Promise<unknown>, store = inner) => {
    const job = durable('job', { input: z.object({}) }, body)
    const harness = openHarness({ store: inner, owner: 'ada', actor: 'test' })
    const work = async (through = store): Promise<Worker> => {
      const kinds = [job]
      const worker = await startWorker({ store: through, owners: ['ada'], kinds, onError: () => undefined })
      workers.push(worker)
      return worker
    }
    return { harness, handle: await harness.start(job, {}), work }
  }
  /** The store, with one write of the journal that is answered otherwise. */
  const failingAt = (isTheOne: (position: number) => boolean, when: 'before' | 'after'): NodeStore => {
    let isOver = false
    const append: NodeStore['log']['append'] = async (drafts, options) => {
      const hit = !isOver && drafts.some(({ payload }) => isTheOne(Number(payload?.['position'] ?? -1)))
      if (hit) isOver = true
      if (hit && when === 'before') throw new Error('the disk is full')
      const nodes = await inner.log.append(drafts, options)
      if (hit) throw new Error('the line broke before the answer')
      return nodes
    }
    return { ...inner, log: { ...inner.log, append } }
  }

  it.each(['before', 'after'] as const)(
    'goes on when a write of its journal fails %s it is in the log',
    async (when) => {
      const { handle, work } = await begin(
        async (run) => [await run.step('a', () => 1), await run.step('b', () => 2), await run.step('c', () => 3)],
        failingAt((position) => position === 1, when),
      )
      await work()
      expect(await handle.result()).toEqual([1, 2, 3])
    },
  )

  it('refuses a step that asks for another one, and names both', async () => {
    const { handle, work } = await begin((run) =>
      run.step('outer', async () => {
        await run.step('inner', () => 1)
      }),
    )
    await work()
    await expect(handle.result()).rejects.toMatchObject({
      code: 'FUNCTION_FAILED',
      message: expect.stringContaining('the code of the step "outer" asked run for step "inner"'),
    })
  })

  it('refuses a random number inside a step, because it would shift all later ones', async () => {
    const { handle, work } = await begin((run) => run.step('draw', () => run.random()))
    await work()
    await expect(handle.result()).rejects.toMatchObject({ message: expect.stringContaining('asked run for random') })
  })

  it('asks a person about a long effectful step whose worker was lost, whatever the step said in between', async () => {
    let began = 0
    const { harness, handle, work } = await begin(async (run) => {
      await run.step(
        'pay',
        async (step) => {
          began += 1
          step.beat({ half: true })
          await new Promise((resolve) => step.signal.addEventListener('abort', resolve))
        },
        { nature: 'effectful' },
      )
      return 'paid'
    })
    await work()
    await until(async () => (await handle.history()).entries[0]?.entry.details !== undefined)
    for (const { id } of await inner.work.sessions()) await inner.work.closeSession(id)
    await work()
    const asked = await until(async () => (await harness.waiting(handle.id)).find(({ ask }) => ask !== undefined))
    expect(asked.ask?.text).toContain('The worker of "pay" is gone')
    await harness.answer(asked.stepId, { questionId: asked.ask?.questionId ?? '', value: 'done' })
    expect(await handle.result()).toBe('paid')
    expect(began).toBe(1)
  })

  it('keeps the message of a signal that lost a race for the next one that waits for it', async () => {
    const { handle, work } = await begin(async (run) => {
      const { winner } = await run.race({ a: run.signal('a'), b: run.signal('b') })
      return [winner, await run.signal('b', { timeout: '1 second' })]
    })
    await handle.signal('a', 1)
    await handle.signal('b', 2)
    await work()
    expect(await handle.result()).toEqual(['a', 2])
  })

  it('cancels what it called and no longer waits for, also if the call had only just begun', async () => {
    const child = durable('child', { input: z.object({}) }, async (run) => run.sleep('1 day'))
    const parent = durable('parent', { input: z.object({}) }, async (run) => {
      await run.race({ slow: run.call(child, {}), quick: run.step('quick', () => 'done') })
      await run.sleep('1 day')
    })
    const harness = openHarness({ store: inner, owner: 'ada', actor: 'test' })
    workers.push(await startWorker({ store: inner, owners: ['ada'], kinds: [child, parent] }))
    const { id } = await harness.start(parent, {})
    const ended = await until(async () => {
      const { nodes } = await inner.log.scan({ owner: 'ada', parent: id, concepts: ['v1:harness:plan'] })
      return nodes.find(({ status }) => status === 'cancelled')
    })
    expect(ended.payload['errorMessage']).toBe('it lost a race')
  })

  it('gives up a sleep and a map that lost a race: the map begins nothing more', async () => {
    const began: number[] = []
    const { handle, work } = await begin(async (run) => {
      const items = run.map(
        'items',
        [1, 2, 3],
        async (n, { signal }) => {
          began.push(n)
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        },
        { concurrency: 1 },
      )
      const { winner } = await run.race({ items, late: run.sleep('1 day'), stop: run.signal('stop') })
      await run.step('after', () => undefined)
      return winner
    })
    await work()
    await until(async () => began.length === 1)
    await handle.signal('stop')
    expect(await handle.result()).toBe('stop')
    expect(began).toEqual([1])
  })
})

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (let left = 800; left > 0; left--) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('it did not happen')
}
