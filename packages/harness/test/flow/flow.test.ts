import { afterEach, describe, expect, it } from 'vitest'
import { InvalidPlanError, type StepRun } from '../../src/index.ts'
import { type Setup, setup } from '../../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) {
    await each.close()
    if (each.errors.length > 0) throw new AggregateError(each.errors)
  }
})
function world(...args: Parameters<typeof setup>): Setup {
  const made = setup(...args)
  open.push(made)
  return made
}

/** Never looks by itself, so that only a timer or an event wakes it. */
const rarely = { pollMs: 3_600_000 }
const sleep = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms))

function named(...titles: readonly string[]) {
  return titles.map((title) => ({ key: title, title, kind: 'scripted' }))
}

/** The claims of steps in the log, oldest first. */
async function claimsIn({ store }: Setup): Promise<readonly { readonly id: string; readonly at: number }[]> {
  const { nodes } = await store.log.scan({ owner: 'ada', versions: 'all', order: 'oldest', limit: 1000 })
  return nodes
    .filter(({ provenanceMutation }) => provenanceMutation === 'startHarnessStep')
    .map(({ id, createdAt }) => ({ id, at: createdAt }))
}

function failsTwice({ step: { attempt } }: StepRun) {
  return attempt < 2 ? { end: 'failed' as const, failure: { message: 'again' } } : { end: 'done' as const }
}

describe('a limit', () => {
  it('lets no more steps with its key run at once than it says, over several workers', async () => {
    let [running, most] = [0, 0]
    const slow = async () => {
      most = Math.max(most, (running += 1))
      await sleep(15)
      running -= 1
      return { end: 'done' as const }
    }
    const titles = ['a', 'b', 'c', 'd', 'e', 'f']
    const made = world(Object.fromEntries(titles.map((title) => [title, slow])))
    const limit = { key: 'deploy:eu', atOnce: 2 }
    const { planId } = await made.harness.createPlan({
      goal: 'g',
      steps: named(...titles).map((s) => ({ ...s, limit })),
    })
    await made.worker(rarely)
    await made.worker(rarely)
    expect((await made.ended(planId)).status).toBe('done')
    expect(most).toBe(2)
  })

  it('is what status says that a step waits for', async () => {
    let go: (() => void) | undefined
    const free = new Promise<void>((resolve) => (go = resolve))
    const made = world({ a: async () => ({ end: 'done', result: { free: await free } }) })
    const limit = { key: 'deploy:eu', atOnce: 1 }
    const { planId } = await made.harness.createPlan({
      goal: 'g',
      steps: named('a', 'b').map((s) => ({ ...s, limit })),
    })
    await made.worker(rarely)
    await expect.poll(() => made.ran).toEqual(['a'])
    const waiting = await made.harness.waiting(planId)
    expect(waiting.map(({ title, waitsFor }) => [title, waitsFor])).toContainEqual(['b', { for: 'limit', ...limit }])
    go?.()
    expect((await made.ended(planId)).status).toBe('done')
  })
})

describe('a rate', () => {
  it('spreads starts over time without a failure, and wakes the worker when the next may start', async () => {
    const made = world()
    const rate = { key: 'github', starts: 2, per: 400 }
    const { planId } = await made.harness.createPlan({
      goal: 'g',
      steps: named('a', 'b', 'c', 'd', 'e').map((s) => ({ ...s, rate })),
    })
    await made.worker(rarely)
    await expect.poll(() => made.ran.length).toBe(2)
    const [first] = await made.harness.waiting(planId)
    expect(first).toMatchObject({ status: 'ready', waitsFor: { for: 'rate', key: 'github', starts: 2, perMs: 400 } })
    expect(first?.until).toBeGreaterThan(Date.now() - 100)
    expect((await made.ended(planId)).status).toBe('done')
    const at = (await claimsIn(made)).map((claim) => claim.at)
    expect(at).toHaveLength(5)
    for (let i = 2; i < at.length; i++) expect((at[i] ?? 0) - (at[i - 2] ?? 0)).toBeGreaterThanOrEqual(400)
    for (const { payload } of await made.harness.steps(planId)) {
      expect(payload.failures).toBeUndefined()
      expect(payload.attempt).toBe(0)
    }
  })
})

describe('a priority', () => {
  it('is started first, and a limited step keeps its place among them', async () => {
    const made = world()
    const [low, plain, high, limited] = named('low', 'plain', 'high', 'limited')
    const limit = { key: 'x', atOnce: 1 }
    const { planId } = await made.harness.createPlan({
      goal: 'g',
      steps: [{ ...low!, priority: -1 }, plain!, { ...limited!, priority: 5, limit }, { ...high!, priority: 10 }],
    })
    await made.worker({ ...rarely, slots: 1 })
    expect((await made.ended(planId)).status).toBe('done')
    expect(made.ran).toEqual(['high', 'limited', 'plain', 'low'])
  })
})

describe('a start delay', () => {
  it('counts from the end of the dependencies, and the worker wakes for it', async () => {
    const made = world()
    const [a, b] = named('a', 'b')
    const { planId, steps } = await made.harness.createPlan({
      goal: 'g',
      steps: [a!, { ...b!, dependsOn: ['a'], delay: 300 }],
    })
    await made.worker(rarely)
    await expect.poll(async () => (await made.harness.waiting(planId))[0]?.waitsFor).toEqual({ for: 'time' })
    expect((await made.ended(planId)).status).toBe('done')
    const done = (await made.store.log.history(steps['a'] ?? '', { owner: 'ada' })).at(-1)?.createdAt ?? 0
    const start = (await claimsIn(made)).find(({ id }) => id === steps['b'])?.at ?? 0
    expect(start - done).toBeGreaterThanOrEqual(300)
    expect(start - done).toBeLessThan(2000)
  })

  it('of the past is no delay, and retryStep ends one of the future', async () => {
    const made = world()
    const [a, b] = named('a', 'b')
    const { planId, steps } = await made.harness.createPlan({
      goal: 'g',
      steps: [
        { ...a!, startAt: new Date(1) },
        { ...b!, startAt: Date.now() + 3_600_000 },
      ],
    })
    const worker = await made.worker(rarely)
    await worker.idle()
    expect(made.ran).toEqual(['a'])
    expect(await made.store.work.nextDue({ owners: ['ada'] })).toBe(
      (await made.harness.step(steps['b'] ?? '')).payload.startAt,
    )
    await made.harness.retryStep(steps['b'] ?? '')
    expect((await made.ended(planId)).status).toBe('done')
  })

  it('of a cancelled plan wakes nobody', async () => {
    const made = world()
    const [a, b] = named('a', 'b')
    const { planId } = await made.harness.createPlan({
      goal: 'g',
      steps: [
        { ...a!, delay: '1 hour' },
        { ...b!, kind: 'other', expiresIn: '1 hour' },
      ],
    })
    await made.harness.cancelPlan(planId)
    expect(await made.store.work.nextDue({ owners: ['ada'] })).toBeUndefined()
  })
})

describe('a time to live', () => {
  it('ends a step that no worker started in time, and the plan goes on without it', async () => {
    const made = world()
    const [a, b, c] = named('a', 'b', 'c')
    const { planId, steps } = await made.harness.createPlan({
      goal: 'g',
      steps: [{ ...a!, kind: 'nobody', expiresIn: 200 }, b!, { ...c!, dependsOn: ['b'] }],
    })
    await made.worker(rarely)
    const plan = await made.ended(planId)
    expect(plan.payload).toMatchObject({
      status: 'failed',
      errorMessage: '"a" failed: not started within 200 milliseconds',
    })
    expect(made.ran).toEqual(['b', 'c'])
    expect((await made.harness.step(steps['a'] ?? '')).payload).toMatchObject({
      status: 'failed',
      failure: { cause: 'expired', retryable: false },
    })
    expect(await claimsIn(made)).toHaveLength(2)
  })

  it('is over for a step that comes too late, also when no worker was there to see it', async () => {
    const made = world()
    const [a] = named('a')
    const late = await made.harness.createPlan({ goal: 'g', steps: [{ ...a!, expiresIn: 50 }] })
    const delayed = await made.harness.createPlan({ goal: 'h', steps: [{ ...a!, delay: 20, expiresIn: 50 }] })
    await sleep(120)
    await made.worker(rarely)
    expect((await made.ended(late.planId)).status).toBe('failed')
    expect((await made.ended(delayed.planId)).status).toBe('failed')
    expect(made.ran).toEqual([])
  })

  it('does not limit retries, and counts from the end of a delay', async () => {
    let runs = 0
    const made = world({ a: (run) => ((runs += 1), failsTwice(run)) })
    const [a] = named('a')
    const { planId } = await made.harness.createPlan({
      goal: 'g',
      steps: [{ ...a!, delay: 150, expiresIn: 140, retry: { maxFailures: 5, baseMs: 150, capMs: 150 } }],
    })
    await made.worker(rarely)
    expect((await made.ended(planId)).status).toBe('done')
    expect(runs).toBe(3)
  })
})

describe('a plan with flow options', () => {
  it('is the same plan when it is created again, also after its delay', async () => {
    const made = world()
    const [a] = named('a')
    const step = { ...a!, delay: 30, priority: 2, rate: { key: 'r', starts: 9, per: '1 minute' as const } }
    const { planId } = await made.harness.createPlan({ id: 'p', goal: 'g', steps: [step] })
    await made.worker(rarely)
    await made.ended(planId)
    const again = await made.harness.createPlan({
      id: 'p',
      goal: 'g',
      steps: [{ ...step, rate: { ...step.rate, per: 60_000 } }],
    })
    expect([again.planId, again.created]).toEqual([planId, false])
  })

  it.each([
    [{ limit: { key: ' ', atOnce: 1 } }, 'step "a": limit.key must be a text of 1 to 200 characters, not " "'],
    [{ limit: { key: 'x', atOnce: 0 } }, 'step "a": limit.atOnce must be a whole number of at least 1, not 0'],
    [{ rate: { key: 'x', starts: 1.5, per: 1000 } }, 'rate.starts must be a whole number of at least 1, not 1.5'],
    [{ rate: { key: 'x', starts: 1, per: 0 } }, 'rate.per must be at least 1 millisecond'],
    [{ delay: 'a while' as never }, 'delay: "a while" is no length of time'],
    [{ expiresIn: -1 }, 'expiresIn: -1 is no length of time'],
    [{ priority: 0.5 }, 'priority must be a whole number from -1000000 to 1000000, not 0.5'],
    [{ startAt: new Date(Number.NaN) }, 'startAt is no time: Invalid Date'],
  ])('with the mistake %j is refused: %s', async (options, message) => {
    const { harness } = world()
    const [a] = named('a')
    const refused = harness.createPlan({ goal: 'g', steps: [{ ...a!, ...options }] })
    await expect(refused).rejects.toThrow(InvalidPlanError)
    await expect(refused).rejects.toThrow(message)
  })
})
