import { createInMemoryStore } from '@agentm/conformance/logs'
import {
  durable,
  type Harness,
  harnessConcepts,
  openHarness,
  replayAgainst,
  type Run,
  startWorker,
  type StepKind,
  type Worker,
} from '@agentm/harness'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

const anything = { input: z.object({}).loose() }

describe('a question of a durable function', () => {
  let store: ReturnType<typeof createInMemoryStore>
  let harness: Harness
  let workers: Worker[]
  let gate: Gate
  beforeEach(() => {
    store = createInMemoryStore({ concepts: harnessConcepts })
    harness = openHarness({ store, owner: 'ada', actor: 'test' })
    workers = []
    gate = new Gate()
  })
  afterEach(async () => {
    gate.open()
    await Promise.all(workers.map((worker) => worker.stop()))
    await store.close()
  })

  const work = async (...kinds: readonly StepKind[]): Promise<Worker> => {
    const worker = await startWorker({ store, owners: ['ada'], kinds, onError: () => undefined })
    workers.push(worker)
    return worker
  }
  const start = async <O>(body: (run: Run) => Promise<O>) => {
    const made = durable('job', anything, body)
    await work(made)
    return { ...(await harness.start(made, {})), made }
  }
  const asked = (id: string) => until(async () => (await harness.waiting(id)).find(({ ask }) => ask !== undefined))
  const isShown = async (id: string) => (await harness.waiting(id)).some(({ ask }) => ask !== undefined)
  const answer = async (row: Awaited<ReturnType<typeof asked>>, value = 'yes') =>
    harness.answer(row.stepId, { questionId: row.ask?.questionId ?? '', value })

  it('is shown and answered while a step beside it runs, and given to the function in the same pass', async () => {
    const passes: string[] = []
    const got: string[] = []
    const job = await start(async (run) => {
      passes.push('pass')
      const said = run.ask('Ship it?', { options: ['yes', 'no'] }).then(async (value) => {
        got.push(value)
        return run.step('ship', () => `shipped: ${value}`)
      })
      return Promise.all([said, run.step('build', () => gate.passed.then(() => 'built'))])
    })
    const row = await asked(job.id)
    expect(row).toMatchObject({ status: 'running', ask: { text: 'Ship it?', allowed: ['yes', 'no'] } })
    const before = await harness.step(row.stepId)
    expect(await answer(row)).toMatchObject({ accepted: true })
    await until(async () => got.length > 0)
    // The version of the step is the fence of its worker, and the build still runs.
    expect((await harness.step(row.stepId)).version).toBe(before.version)
    expect(await isShown(job.id)).toBe(false)
    gate.open()
    expect(await job.result()).toEqual(['shipped: yes', 'built'])
    expect(passes).toEqual(['pass'])
    expect(await replayAgainst(await job.history(), job.made)).toMatchObject({ ended: 'done' })
  })

  it('takes one answer: a second one gets the first one back, and one that is no option is refused', async () => {
    const job = await start(async (run) =>
      Promise.all([run.ask('Ship it?', { options: ['yes', 'no'] }), run.step('build', () => gate.passed)]),
    )
    const row = await asked(job.id)
    await expect(answer(row, 'perhaps')).rejects.toMatchObject({ code: 'ANSWER_REFUSED' })
    await expect(harness.answer(row.stepId, { questionId: 'ask-7', value: 'yes' })).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
    })
    const both = await Promise.all([answer(row, 'yes'), answer(row, 'no')])
    expect(both.filter(({ accepted }) => accepted)).toHaveLength(1)
    const [first, second] = both
    expect(first?.answer).toEqual(second?.answer)
    expect(Object.values(await harness.answers(row.stepId))).toEqual([first?.answer])
    gate.open()
    expect((await job.result())[0]).toBe(first?.answer.value)
    expect(await answer(row, 'no')).toMatchObject({ accepted: false, answer: first?.answer })
  })

  it('is answered although no worker is there to hear it: the next pass takes the answer', async () => {
    const job = await start(async (run) =>
      Promise.all([run.ask('Ship it?'), run.step('build', ({ signal }) => gate.orStopped(signal))]),
    )
    const row = await asked(job.id)
    await workers[0]?.stop({ graceMs: 0 })
    expect(await isShown(job.id)).toBe(true)
    expect(await answer(row)).toMatchObject({ accepted: true })
    expect(await isShown(job.id)).toBe(false)
    gate.open()
    await work(job.made)
    expect((await job.result())[0]).toBe('yes')
  })

  it('is withdrawn when it loses a race, and an answer that comes then is refused', async () => {
    const job = await start(async (run) => {
      const first = await run.race({ asked: run.ask('Ship it?'), told: run.signal('told') })
      await run.step('build', () => gate.passed)
      return first.winner
    })
    const row = await asked(job.id)
    await job.signal('told')
    await until(async () => !(await isShown(job.id)))
    await expect(answer(row)).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
      message: expect.stringContaining('withdrawn'),
    })
    gate.open()
    expect(await job.result()).toBe('told')
  })

  it('is withdrawn when the run is cancelled, while the function still cleans up', async () => {
    const job = await start(async (run) => {
      try {
        return await run.ask('Ship it?')
      } finally {
        await run.step('clean up', () => gate.passed)
      }
    })
    const row = await asked(job.id)
    await job.cancel('enough')
    await until(async () => !(await isShown(job.id)))
    await expect(answer(row)).rejects.toMatchObject({ code: 'ANSWER_REFUSED' })
    gate.open()
    await expect(job.result()).rejects.toMatchObject({ code: 'FUNCTION_CANCELLED' })
    await expect(answer(row)).rejects.toMatchObject({ code: 'ANSWER_REFUSED' })
  })

  it('ends by itself at its deadline while a step beside it runs, and takes no answer after that', async () => {
    const seen: unknown[] = []
    const job = await start(async (run) =>
      Promise.all([
        run.ask('Ship it?', { timeout: 150 }).then((value) => seen.push(value)),
        run.step('build', () => gate.passed.then(() => undefined)),
      ]),
    )
    const row = await asked(job.id)
    expect(row.ask?.deadline).toBeGreaterThan(0)
    await until(async () => seen.length > 0)
    expect(seen).toEqual([undefined])
    await expect(answer(row)).rejects.toMatchObject({
      code: 'ANSWER_REFUSED',
      message: expect.stringContaining('deadline'),
    })
    gate.open()
    await job.result()
  })

  it('is given the answer that was accepted at the last moment, although its worker had let the deadline pass', async () => {
    const early = { ...store.work, now: async () => 0 }
    const person = openHarness({ store: { log: store.log, work: early }, owner: 'ada', actor: 'person' })
    const accepted: boolean[] = []
    const append: typeof store.log.append = async (drafts, options) => {
      const ended = drafts.find(({ payload }) => payload['op'] === 'ask' && payload['status'] === 'done')
      if (ended !== undefined) {
        const stepId = String(ended.payload['stepId'])
        accepted.push((await person.answer(stepId, { questionId: 'ask-0', value: 'yes' })).accepted)
      }
      return store.log.append(drafts, options)
    }
    const made = durable('job', anything, async (run) => (await run.ask('Ship it?', { timeout: 80 })) ?? 'nobody')
    workers.push(
      await startWorker({ store: { ...store, log: { ...store.log, append } }, owners: ['ada'], kinds: [made] }),
    )
    const job = await harness.start(made, {})
    expect(await job.result()).toBe('yes')
    expect(accepted).toEqual([true])
    expect(await replayAgainst(await job.history(), made)).toEqual({ ended: 'done', value: 'yes' })
  })

  it('is one of several: each is shown and answered by itself', async () => {
    const job = await start(async (run) => {
      const answers = ['a', 'b', 'c'].map((name) => run.ask(`Deploy ${name}?`))
      return [...(await Promise.all(answers)), await run.step('end', () => 'end')]
    })
    const row = await until(async () => (await harness.waiting(job.id)).find(({ alsoAsks }) => alsoAsks?.length === 2))
    const all = [row.ask, ...(row.alsoAsks ?? [])]
    expect(all.map((one) => one?.text)).toEqual(['Deploy a?', 'Deploy b?', 'Deploy c?'])
    for (const one of all.toReversed())
      await harness.answer(row.stepId, { questionId: one?.questionId ?? '', value: one?.text ?? '' })
    expect(await job.result()).toEqual(['Deploy a?', 'Deploy b?', 'Deploy c?', 'end'])
  })

  it('of a child is answered while its parent goes on', async () => {
    const child = durable('child', anything, async (run) => run.ask('Ship it?'))
    const parent = durable('parent', anything, async (run) =>
      Promise.all([run.call(child, {}), run.step('build', () => gate.passed.then(() => 'built'))]),
    )
    await work(child, parent)
    const job = await harness.start(parent, {})
    const row = await until(async () => (await harness.waiting()).find(({ ask }) => ask !== undefined))
    await answer(row)
    gate.open()
    expect(await job.result()).toEqual(['yes', 'built'])
  })

  it('about a lost effect is asked while other steps run', async () => {
    let isFirst = true
    const made = durable('job', anything, async (run) =>
      Promise.all([
        run.step(
          'pay',
          async ({ signal }) => {
            if (isFirst) await gate.orStopped(signal)
            return 'paid'
          },
          { nature: 'effectful' },
        ),
        run.step('build', ({ signal }) => gate.orStopped(signal).then(() => 'built')),
      ]),
    )
    const first = await work(made)
    const job = await harness.start(made, {})
    await until(async () => (await job.history()).entries.some(({ entry }) => entry.intentAt !== undefined))
    await first.stop({ graceMs: 0 })
    isFirst = false
    await work(made)
    const row = await until(async () => (await harness.waiting(job.id)).find(({ ask }) => ask !== undefined))
    expect(row).toMatchObject({ status: 'running', ask: { allowed: ['done', 'retry', 'fail'] } })
    await answer(row, 'retry')
    await until(async () => (await job.history()).entries.some(({ entry }) => entry.value === 'paid'))
    gate.open()
    expect(await job.result()).toEqual(['paid', 'built'])
  })

  it('tells who follows the plan, also while the step does not change', async () => {
    const job = await start(async (run) =>
      Promise.all([run.signal('go').then(() => run.ask('Ship it?')), run.step('build', () => gate.passed)]),
    )
    await until(async () => (await harness.waiting(job.id))[0]?.status === 'running')
    const over = new AbortController()
    const events = harness.follow(job.id, { signal: over.signal })
    const heard = (async () => {
      for await (const { asks, node } of events) if (asks) return node.payload['title']
      return undefined
    })()
    await job.signal('go')
    expect(await heard).toBe('job')
    over.abort()
    await answer(await asked(job.id))
    gate.open()
    await job.result()
  })

  it('needs a text, and options that can be said', async () => {
    const job = await start(async (run) => run.ask('Ship it?', { options: [] as string[] }))
    await expect(job.result()).rejects.toThrow(/needs at least one option/)
  })
})

/** What a step waits for until the test opens it. */
class Gate {
  open: () => void = () => undefined
  readonly passed: Promise<void>

  constructor() {
    this.passed = new Promise((resolve) => (this.open = resolve))
  }

  async orStopped(signal: AbortSignal): Promise<void> {
    const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await Promise.race([this.passed, stopped])
  }
}

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (let left = 400; left > 0; left--) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('it did not happen')
}
