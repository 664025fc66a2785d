import { createInMemoryStore } from '@agentm/conformance/logs'
import {
  durable,
  type Harness,
  harnessConcepts,
  isHarnessError,
  openHarness,
  type Run,
  type StepKind,
  startWorker,
  traceOf,
  type Worker,
} from '@agentm/harness'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

const anything = { input: z.object({}).loose() }

describe('a durable function', () => {
  let store: ReturnType<typeof createInMemoryStore>
  let harness: Harness
  let workers: Worker[]
  beforeEach(() => {
    store = createInMemoryStore({ concepts: harnessConcepts })
    harness = openHarness({ store, owner: 'ada', actor: 'test' })
    workers = []
  })
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await store.close()
  })

  const work = async (...kinds: readonly StepKind[]): Promise<Worker> => {
    const worker = await startWorker({ store, owners: ['ada'], kinds, onError: () => undefined })
    workers.push(worker)
    return worker
  }
  const start = async <O>(body: (run: Run, input: Record<string, unknown>) => Promise<O>, input = {}) => {
    const made = durable('job', anything, body)
    await work(made)
    return harness.start(made, input)
  }

  it('gives what it returned', async () => {
    const job = await start(async (run, { n }) => (await run.step('double', () => Number(n) * 2)) + 1, { n: 20 })
    expect(await job.result()).toBe(41)
    expect(await job.status()).toBe('done')
  })

  it('runs each step once, however often the function is passed through', async () => {
    const calls: string[] = []
    const job = await start(async (run) => {
      for (const name of ['a', 'b', 'c']) {
        await run.step(name, () => void calls.push(name))
        await run.sleep(60)
      }
      return calls.length
    })
    expect(await job.result()).toBe(3)
    expect(calls).toEqual(['a', 'b', 'c'])
  })

  it('gives a step the form that the log gives back', async () => {
    const job = await start(async (run) => run.step('when', () => ({ at: new Date(0), none: undefined })))
    expect(await job.result()).toEqual({ at: '1970-01-01T00:00:00.000Z' })
  })

  it('tries a failed step again, then throws what the function can catch', async () => {
    let tries = 0
    const job = await start(async (run) => {
      try {
        const retry = { maxFailures: 2, baseMs: 1 }
        await run.step('flaky', async () => Promise.reject(new Error(`no ${++tries}`)), { retry })
      } catch (error) {
        return [isHarnessError(error, 'FUNCTION_STEP_FAILED'), (error as Error).message]
      }
      return []
    })
    expect(await job.result()).toEqual([true, 'flaky failed: no 2'])
    expect(tries).toBe(2)
  })

  it('fails with the error of its code', async () => {
    const job = await start(async () => {
      throw new Error('broken')
    })
    await expect(job.result()).rejects.toMatchObject({
      code: 'FUNCTION_FAILED',
      message: expect.stringContaining('broken'),
    })
  })

  it('does the items of a map side by side, in the order of the items', async () => {
    let [running, most] = [0, 0]
    const job = await start(async (run) =>
      run.map(
        'square',
        [...Array(20).keys()],
        async (n) => {
          most = Math.max(most, ++running)
          await new Promise((resolve) => setTimeout(resolve, 2))
          running -= 1
          return n * n
        },
        { concurrency: 5 },
      ),
    )
    expect(await job.result()).toEqual([...Array(20).keys()].map((n) => n * n))
    expect(most).toBe(5)
  })

  it('waits for a person, who answers as for any step', async () => {
    const job = await start(async (run) => run.ask('Ship it?', { options: ['yes', 'no'] }))
    const asked = await until(async () => (await harness.waiting(job.id)).find(({ ask }) => ask !== undefined))
    expect(asked.ask).toMatchObject({ text: 'Ship it?', allowed: ['yes', 'no'] })
    await harness.answer(asked.stepId, { questionId: asked.ask?.questionId ?? '', value: 'yes' })
    expect(await job.result()).toBe('yes')
  })

  it('goes on without an answer when its time is over', async () => {
    const job = await start(async (run) => (await run.ask('Ship it?', { timeout: 20 })) ?? 'nobody')
    expect(await job.result()).toBe('nobody')
  })

  it('takes signals in the order they were sent, also those sent before it asked', async () => {
    const job = await start(async (run) => {
      const first = await run.signal('paid')
      await run.sleep(60)
      return [first, await run.signal('paid'), (await run.signal('late', { timeout: 5 })) ?? 'none']
    })
    await job.signal('paid', 1)
    await job.signal('paid', { two: 2 })
    expect(await job.result()).toEqual([1, { two: 2 }, 'none'])
  })

  it('hears a signal while a step of it runs', async () => {
    const job = await start(async (run) => {
      const slow = run.step('slow', async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      })
      return run.race({ stop: run.signal<string>('stop'), slow })
    })
    await until(async () => (await job.status()) === 'running')
    await job.signal('stop', 'now')
    expect(await job.result()).toEqual({ winner: 'stop', value: 'now' })
  })

  it('calls another function as a plan of its own', async () => {
    const child = durable('child', { input: z.object({ n: z.number() }) }, async (run, { n }) => {
      await run.sleep(60)
      return run.step('add', () => n + 1)
    })
    const parent = durable('parent', anything, async (run) => {
      const [a, b] = await Promise.all([run.call(child, { n: 1 }), run.call(child, { n: 2 })])
      return a + b
    })
    await work(child, parent)
    expect(await (await harness.start(parent, {})).result()).toBe(5)
  })

  it('throws with the reason of a child that failed', async () => {
    const child = durable('child', anything, async () => Promise.reject(new Error('none left')))
    const parent = durable('parent', anything, async (run) =>
      run.call(child, {}).catch((error: Error) => error.message),
    )
    await work(child, parent)
    expect(await (await harness.start(parent, {})).result()).toBe('child failed: none left')
  })

  it('runs a plan of steps and gets their results', async () => {
    const greet = { name: 'greet', run: async () => ({ end: 'done' as const, result: { text: 'hello' } }) }
    const parent = durable('parent', anything, async (run) =>
      run.plan({ goal: 'greet', steps: [{ key: 'a', title: 'Greet', kind: 'greet' }] }),
    )
    workers.push(await startWorker({ store, owners: ['ada'], kinds: [greet, parent] }))
    expect(await (await harness.start(parent, {})).result()).toEqual({ a: { text: 'hello' } })
  })

  it('takes back what it did, the last step first, when it fails', async () => {
    const undone: string[] = []
    const job = await start(async (run) => {
      for (const name of ['flight', 'hotel'])
        await run.step(name, () => `${name} 1`, { undo: (booked) => void undone.push(booked) })
      await run.step('car', () => Promise.reject(Object.assign(new Error('none left'), { retryable: false })))
    })
    await expect(job.result()).rejects.toThrow('car failed: none left')
    expect(undone).toEqual(['hotel 1', 'flight 1'])
  })

  it('unwinds when it is cancelled: finally runs, steps are taken back, and it ends as cancelled', async () => {
    const seen: string[] = []
    const job = await start(async (run) => {
      await run.step('book', () => 'seat', { undo: (seat) => void seen.push(`undo ${seat}`) })
      try {
        await run.sleep('1 day')
      } finally {
        await run.step('clean up', () => void seen.push('finally'))
      }
    })
    await until(async () => (await harness.waiting(job.id))[0]?.waitsFor.for === 'time')
    await job.cancel('changed my mind')
    await expect(job.result()).rejects.toMatchObject({ code: 'FUNCTION_CANCELLED', reason: 'changed my mind' })
    expect(seen).toEqual(['finally', 'undo seat'])
    expect(await job.status()).toBe('cancelled')
  })

  it('is asked to cancel itself by who cancels its plan, and ended at once by the second call', async () => {
    const seen: string[] = []
    const job = await start(async (run) => {
      try {
        await run.sleep('1 day')
      } finally {
        seen.push('finally')
        await run.sleep('1 day')
      }
    })
    await until(async () => (await harness.waiting(job.id))[0]?.waitsFor.for === 'time')
    expect(await harness.cancelPlan(job.id, { reason: 'stop' })).toBe('running')
    await until(async () => seen.length > 0)
    expect(await harness.cancelPlan(job.id)).toBe('cancelled')
    await expect(job.result()).rejects.toMatchObject({ code: 'FUNCTION_CANCELLED' })
  })

  it('shows in the trace of its plan what it asked for', async () => {
    const job = await start(async (run) => {
      await run.step('notes', () => 1)
      await run.step('break', async () => Promise.reject(Object.assign(new Error('no'), { retryable: false })))
    })
    await job.result().catch(() => undefined)
    const { timeline } = await traceOf(store.log, { planId: job.id, owner: 'ada' })
    expect(timeline).toMatch(/\[func\] +done +step "notes" by harness-worker/)
    expect(timeline).toMatch(/\[func\] +failed +step "break" by harness-worker -- no/)
  })

  it('takes no signals for a plan that is no function', async () => {
    const { planId } = await harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'A', kind: 'command' }] })
    await expect(harness.run(planId).signal('go')).rejects.toMatchObject({ code: 'STEP_REFUSED' })
  })

  it('cancels its children before it ends', async () => {
    const seen: string[] = []
    const child = durable('child', anything, async (run) => {
      try {
        await run.sleep('1 day')
      } finally {
        await run.step('clean up', () => void seen.push('child'))
      }
    })
    const parent = durable('parent', anything, async (run) => {
      try {
        await run.call(child, {})
      } finally {
        await run.step('clean up', () => void seen.push('parent'))
      }
    })
    await work(child, parent)
    const job = await harness.start(parent, {})
    await until(async () => (await harness.waiting()).some(({ waitsFor }) => waitsFor.for === 'time'))
    await job.cancel('enough')
    await expect(job.result()).rejects.toMatchObject({ code: 'FUNCTION_CANCELLED' })
    expect(seen).toEqual(['child', 'parent'])
  })

  it('gives the same time and numbers on every pass', async () => {
    const passes: unknown[] = []
    const job = await start(async (run) => {
      passes.push([run.now(), run.random(), run.newId()])
      await run.sleep(60)
    })
    await job.result()
    expect(passes).toHaveLength(2)
    expect(passes[0]).toEqual(passes[1])
  })

  it('tells who follows it what it emits, live and from a position on, and shows its state', async () => {
    const job = await start(async (run) => {
      await run.emit({ percent: 50 })
      await run.show('progress', 'half')
      await run.signal('go')
      await run.emit({ percent: 100 })
    })
    await until(async () => (await job.query('progress')) === 'half')
    await job.signal('go')
    const events = []
    for await (const event of job.events()) events.push(event)
    const emitted = events.filter(({ op }) => op === 'emit')
    expect(emitted.map(({ value }) => value)).toEqual([{ percent: 50 }, { percent: 100 }])
    expect(events.at(-1)).toMatchObject({ op: 'end', status: 'done' })
    const rest = []
    for await (const event of job.events({ after: emitted[0]?.position ?? 0 })) rest.push(event)
    expect(rest.filter(({ op }) => op === 'emit').map(({ value }) => value)).toEqual([{ percent: 100 }])
  })

  it('leaves a message to whom it is meant: the loser of a race takes none', async () => {
    const job = await start(async (run) => {
      await run.race({ a: run.signal('a'), b: run.signal('b') })
      return run.signal('b')
    })
    await job.signal('a', 1)
    await job.signal('b', 2)
    expect(await job.result()).toBe(2)
  })

  it('keeps its slot for a wait of a moment, and gives it up for a longer one', async () => {
    const passes: string[] = []
    const job = await start(async (run) => {
      passes.push('pass')
      const [first, second] = [run.sleep(5), run.signal('never', { timeout: 8 })]
      await Promise.all([first, second])
      await run.sleep(1)
      if (passes.length === 1) passes.push('still the first')
      await run.sleep('100 ms')
    })
    await job.result()
    expect(passes).toEqual(['pass', 'still the first', 'pass'])
  })

  it('counts as one step of its budget, however often it waits', async () => {
    const made = durable('job', anything, async (run) => {
      for (let i = 0; i < 3; i++) await run.sleep(60)
      return 'done'
    })
    await work(made)
    const job = await harness.start(made, {}, { budget: { maxSteps: 1 } })
    expect(await job.result()).toBe('done')
    expect((await harness.usage(job.id)).steps).toBe(1)
  })

  it('beats: what a long step says is kept, and silence ends the attempt', async () => {
    const seen: unknown[] = []
    const job = await start(async (run) =>
      run.step(
        'long',
        async ({ beat, details, attempt, signal }) => {
          seen.push([attempt, details])
          beat({ at: 10 * (attempt + 1) })
          if (attempt === 0) await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return 'finished'
        },
        { beatWithin: 50, retry: { baseMs: 1 } },
      ),
    )
    expect(await job.result()).toBe('finished')
    expect(seen).toEqual([
      [0, undefined],
      [1, { at: 10 }],
    ])
  })

  it('asks a person about an effectful step whose worker is gone', async () => {
    let [runs, isFirst] = [0, true]
    const made = durable('job', anything, async (run) =>
      run.step(
        'pay',
        async ({ signal }) => {
          runs += 1
          if (isFirst) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
          return 'paid'
        },
        { nature: 'effectful' },
      ),
    )
    const first = await startWorker({ store, owners: ['ada'], kinds: [made], leaseMs: 200 })
    const job = await harness.start(made, {})
    await until(async () => runs === 1)
    isFirst = false
    await first.stop()
    await work(made)
    const asked = await until(async () => (await harness.waiting(job.id)).find(({ ask }) => ask !== undefined))
    expect(asked.ask?.allowed).toEqual(['done', 'retry', 'fail'])
    expect(runs).toBe(1)
    await harness.answer(asked.stepId, { questionId: asked.ask?.questionId ?? '', value: 'retry' })
    expect(await job.result()).toBe('paid')
    expect(runs).toBe(2)
  })

  it('starts when its options allow it: one at a time for a key, and not before a delay', async () => {
    let [running, most] = [0, 0]
    const made = durable('job', anything, async (run) =>
      run.step('work', async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running -= 1
      }),
    )
    await work(made)
    const limit = { key: 'host', atOnce: 1 }
    const jobs = await Promise.all([1, 2, 3].map((n) => harness.start(made, { n }, { limit })))
    await Promise.all(jobs.map((job) => job.result()))
    expect(most).toBe(1)
    const late = await harness.start(made, {}, { delay: 50 })
    await late.result()
    const { createdAt } = await harness.plan(late.id)
    expect(
      createdAt - ((await store.log.history(late.id, { owner: 'ada' }))[0]?.createdAt ?? 0),
    ).toBeGreaterThanOrEqual(50)
  })

  it('asks again under the same name, also if part of it looks like a secret and is masked', async () => {
    const text = 'May I use password=hunter2hunter2 now?'
    const job = await start(async (run) => run.ask(text))
    const asked = await until(async () => (await harness.waiting(job.id)).find(({ ask }) => ask !== undefined))
    expect(asked.ask?.text).not.toContain('hunter2')
    await harness.answer(asked.stepId, { questionId: asked.ask?.questionId ?? '', value: 'yes' })
    expect(await job.result()).toBe('yes')
  })

  it('is the same run when it is started twice with one id, and refuses another input', async () => {
    const made = durable('job', anything, async (run) => run.step('once', () => run.id))
    await work(made)
    const [one, two] = [
      await harness.start(made, { a: 1 }, { id: 'r1' }),
      await harness.start(made, { a: 1 }, { id: 'r1' }),
    ]
    expect(await one.result()).toBe(await two.result())
    await expect(harness.start(made, { a: 2 }, { id: 'r1' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    expect(await harness.run('r1').result()).toBe(await one.result())
  })

  it('refuses input that its schema refuses, and names the field', async () => {
    const made = durable('job', { input: z.object({ tag: z.string() }) }, async () => 1)
    await expect(harness.start(made, { tag: 1 } as never)).rejects.toThrow(/input of job.*tag/)
  })
})

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (let left = 400; left > 0; left--) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('it did not happen')
}
