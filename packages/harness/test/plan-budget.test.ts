import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { agentKind, readTrace, replayPlan, type StepKind, traceMetrics, type WaitReason } from '../src/index.ts'
import { defineTool, type Model, type ModelReply } from '@agentm/agent-loop'
import { calls, scriptedModel } from '../../../tools/model-in-process.mjs'
import { type Setup, setup } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) {
    await each.close()
    if (each.errors.length > 0) throw new AggregateError(each.errors)
  }
})

const retry = { maxFailures: 1 }
const agents = (...keys: readonly string[]) => keys.map((key) => ({ key, title: key, kind: 'agent', retry }))
const lookOnce = () =>
  scriptedModel(calls(['look', {}]), { text: 'Seen.', usage: { inputTokens: 10, outputTokens: 5 } })

const atOnce = async (): Promise<void> => undefined

function world(modelOf: () => Model = lookOnce, kinds: readonly StepKind[] = []) {
  const made = setup()
  open.push(made)
  const { harness, store } = made
  const models = new Map<string, Model>()
  /** How many are at it now; nobody goes on before `gate` lets them. */
  const inside: string[] = []
  const waiting = async () =>
    (await harness.waiting()).flatMap(({ waitsFor }) => (waitsFor.for === 'room' ? [waitsFor] : []))
  let gate = atOnce
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({}),
    nature: 'pure',
    run: async () => {
      inside.push('look')
      await gate()
      return 'nothing'
    },
  })
  const model = (id: string): Model => {
    const known = models.get(id) ?? modelOf()
    models.set(id, known)
    return known
  }
  const kind = agentKind({
    log: store.log,
    modelOf: (step) => model(step.title),
    tools: [look],
    modelRetry: { attempts: 1 },
  })
  return {
    ...made,
    inside,
    waiting,
    /** Until somebody waits for room, or two are at it, as nobody should be. */
    holdBack: () => {
      gate = async () => until(async () => inside.length > 1 || (await waiting()).length > 0)
    },
    gateOf: (one: () => Promise<void>) => {
      gate = one
    },
    work: async () => made.worker({ kinds: [kind, ...kinds] }),
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Opened once. */
function latch() {
  const opening = new AbortController()
  const promise = new Promise<void>((resolve) => {
    opening.signal.addEventListener('abort', () => resolve())
  })
  return { promise, resolve: () => opening.abort() }
}

const longWinded: Model = {
  respond: async () => ({ text: 'Done.', usage: { inputTokens: 100, outputTokens: 4000 } }),
}

describe('two agents side by side, and a budget for one of their calls', () => {
  it('make one call, and the other one is refused once the first is reported', async () => {
    const { harness, ended, inside, holdBack, work, store } = world()
    holdBack()
    await work()
    const { planId } = await harness.createPlan({
      goal: 'g',
      steps: agents('a', 'b'),
      budget: { maxToolCalls: 1 },
    })
    expect((await ended(planId)).status).toBe('failed')
    expect(inside).toHaveLength(1)
    expect((await harness.usage(planId)).toolCalls).toBe(1)
    const trace = await readTrace(store.log, { planId, owner: 'ada' })
    // What was set aside is no observation and no call.
    expect(traceMetrics(trace).toolCalls).toBe(1)
    expect(trace.events.some(({ mutation }) => mutation.endsWith('HarnessBudget'))).toBe(false)
  })

  it('say in the status which of them waits for whom', async () => {
    const { harness, ended, waiting, gateOf, work } = world()
    const [seen, goOn] = [[] as WaitReason[], latch()]
    gateOf(async () => {
      await until(async () => {
        seen.push(...(await waiting()))
        return seen.length > 0
      })
      goOn.resolve()
    })
    await work()
    const { planId, steps } = await harness.createPlan({
      goal: 'g',
      steps: agents('a', 'b'),
      budget: { maxToolCalls: 1 },
    })
    await goOn.promise
    const holders = Object.entries(steps).map(([title, id]) => ({
      for: 'room',
      limit: 'max_tool_calls',
      planId,
      others: [`"${title}" (${id})`],
    }))
    expect(holders).toContainEqual(seen[0])
    await ended(planId)
  })

  it('wait for a reply that may come in cheaper, and both are done', async () => {
    const inside: string[] = []
    const made: { waiting?: () => Promise<readonly WaitReason[]> } = {}
    const model = (): Model => ({
      async respond(): Promise<ModelReply> {
        inside.push('asked')
        if (inside.length === 1) await until(async () => inside.length > 1 || (await made.waiting?.())?.length === 1)
        return { text: 'Done.', usage: { inputTokens: 10, outputTokens: 5 } }
      },
    })
    const { harness, ended, waiting, work, store } = world(model)
    made.waiting = waiting
    await work()
    const { planId } = await harness.createPlan({ goal: 'g', steps: agents('a', 'b'), budget: { maxTokens: 6000 } })
    expect((await ended(planId)).status).toBe('done')
    expect(inside).toHaveLength(2)
    expect((await harness.usage(planId)).tokens).toBe(30)
    expect(await replayPlan(store.log, { planId, owner: 'ada' })).toMatchObject({ matches: true })
  })

  it('never spend together what each of them may', async () => {
    const { harness, ended, work } = world(() => longWinded)
    await work()
    const { planId } = await harness.createPlan({ goal: 'g', steps: agents('a', 'b'), budget: { maxTokens: 6000 } })
    expect((await ended(planId)).status).toBe('failed')
    expect((await harness.usage(planId)).tokens).toBe(4100)
  })

  it('are bound by the budget above theirs, one in the plan and one in a plan that its sibling started', async () => {
    const starts: StepKind = {
      name: 'starts',
      async run(run) {
        const { planId } = await run.startPlan({ key: 'c', goal: 'c', steps: agents('b'), budget: { maxToolCalls: 9 } })
        return (await run.planEnd(planId)).status === 'failed'
          ? { end: 'done' }
          : { end: 'waits', waitsFor: { for: 'plan', planId } }
      },
    }
    const { harness, ended, inside, holdBack, work } = world(lookOnce, [starts])
    holdBack()
    await work()
    const { planId } = await harness.createPlan({
      goal: 'g',
      steps: [...agents('a'), { key: 's', title: 's', kind: 'starts' }],
      budget: { maxToolCalls: 1 },
    })
    await ended(planId)
    expect(inside).toHaveLength(1)
  })
})

it('a call inside a call is refused at once where the outer one is all there is: it would wait for itself', async () => {
  const outer: StepKind = {
    name: 'outer',
    async run(run) {
      const call = await run.budget.reserve({ tokens: 0, toolCalls: 1, costMicros: 0 })
      if (!call.granted) return { end: 'failed', failure: { message: 'no budget' } }
      const { planId } = await run.startPlan({ key: 'c', goal: 'c', steps: agents('inner') })
      await until(async () => (await run.planEnd(planId)).status === 'failed')
      return { end: 'done', result: await run.planEnd(planId).then(({ errorMessage }) => ({ errorMessage })) }
    },
  }
  const { harness, ended, inside, work } = world(lookOnce, [outer])
  await work()
  const { planId, steps } = await harness.createPlan({
    goal: 'g',
    steps: [{ key: 'o', title: 'o', kind: 'outer' }],
    budget: { maxToolCalls: 1 },
  })
  expect((await ended(planId)).status).toBe('done')
  const { result } = (await harness.step(steps['o'] ?? '')).payload
  expect(result?.['errorMessage']).toContain('max_tool_calls')
  expect(inside).toEqual([])
})

describe('a call that waits for room', () => {
  it('ends when its plan is cancelled', async () => {
    const { harness, ended, waiting, gateOf, work, inside } = world()
    const over = latch()
    gateOf(() => over.promise)
    await work()
    const { planId } = await harness.createPlan({ goal: 'g', steps: agents('a', 'b'), budget: { maxToolCalls: 1 } })
    await until(async () => (await waiting()).length > 0)
    await harness.cancelPlan(planId)
    over.resolve()
    expect((await ended(planId)).status).toBe('cancelled')
    expect(inside).toHaveLength(1)
    expect(await waiting()).toEqual([])
  })

  it('goes on waiting while its plan is paused, and goes on once there is room', async () => {
    const { harness, ended, waiting, gateOf, work, inside, store } = world()
    const over = latch()
    gateOf(() => over.promise)
    await work()
    const { planId } = await harness.createPlan({ goal: 'g', steps: agents('a', 'b'), budget: { maxToolCalls: 1 } })
    await until(async () => (await waiting()).length > 0)
    await harness.pausePlan(planId)
    await harness.resumePlan(planId)
    // Whoever set it aside is gone, and made no call that was told.
    const { nodes } = await store.log.scan({ owner: 'ada', concepts: ['v1:harness:step'], parent: planId })
    const held = (await store.log.scan({ owner: 'ada', concepts: ['v1:harness:reservation'] })).nodes
    const first = held.filter(({ payload }) => payload['lane'] === 'call-0').toSorted((a, b) => a.seq - b.seq)[0]
    const holder = nodes.find(({ id }) => id === first?.payload['stepId'])
    await harness.skipStep(holder?.id ?? '', { actor: 'ada', reason: 'not needed' })
    await until(async () => inside.length === 2)
    over.resolve()
    await ended(planId)
    expect((await harness.usage(planId)).toolCalls).toBe(1)
  })
})

it('a plan without a budget sets nothing aside, and one whose budget does not limit calls neither', async () => {
  const { harness, ended, work, store } = world()
  await work()
  const free = await harness.createPlan({ goal: 'g', steps: agents('a', 'b') })
  const slow = await harness.createPlan({ goal: 'h', steps: agents('c'), budget: { maxSteps: 9, maxWallClockMs: 1e9 } })
  expect((await ended(free.planId)).status).toBe('done')
  expect((await ended(slow.planId)).status).toBe('done')
  expect((await store.log.scan({ owner: 'ada', concepts: ['v1:harness:reservation'] })).nodes).toEqual([])
})

it('a call costs one more append, and leaves nothing set aside', async () => {
  const without = await appends()
  const within = await appends({ maxToolCalls: 50, maxTokens: 100_000 })
  // Three replies and two calls.
  expect(within.n - without.n).toBe(5)
  expect([without.left, new Set(within.left)]).toEqual([[], new Set(['over'])])
})

/** How many it takes to run one agent, and how its reservations stand in the end. */
async function appends(budget?: { readonly maxToolCalls: number; readonly maxTokens: number }) {
  const made = world(() => scriptedModel(calls(['look', {}]), calls(['look', {}]), { text: 'Seen.' }))
  const { log } = made.store
  let n = 0
  const counting: typeof log = {
    ...log,
    append: async (...args) => {
      n += 1
      return log.append(...args)
    },
  }
  Object.assign(made.store, { log: counting })
  await made.work()
  const { planId } = await made.harness.createPlan({ goal: 'g', steps: agents('a'), ...(budget && { budget }) })
  expect((await made.ended(planId)).status).toBe('done')
  const { nodes } = await log.scan({ owner: 'ada', concepts: ['v1:harness:reservation'] })
  return { n, left: nodes.map(({ status }) => status) }
}

describe('a reply that was under way when its worker was stopped', () => {
  it('counts as used in full, because the provider may charge for it, and is not asked for again beyond the limit', async () => {
    const { lost, status, errorMessage, replies, usage } = await lose({ maxTokens: 6000 })
    expect(lost?.tokens).toBeGreaterThan(4096)
    expect({ status, replies, tokens: usage.tokens }).toEqual({ status: 'failed', replies: 1, tokens: 0 })
    expect(errorMessage).toContain('max_tokens')
  })

  it('is asked for again where both fit, and only the one that was received is booked', async () => {
    const { status, replies, usage } = await lose({ maxTokens: 20_000 })
    expect({ status, replies, tokens: usage.tokens }).toEqual({ status: 'done', replies: 2, tokens: 15 })
  })
})

/** The worker is stopped during the first reply, and another one takes over. */
async function lose(budget: { readonly maxTokens: number }) {
  const asked = latch()
  let replies = 0
  const model: Model = {
    async respond({ signal }) {
      replies += 1
      if (replies > 1) return { text: 'Done.', usage: { inputTokens: 10, outputTokens: 5 } }
      asked.resolve()
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('broken off')))
      })
    },
  }
  const { harness, ended, work } = world(() => model)
  const first = await work()
  const { planId } = await harness.createPlan({ goal: 'g', steps: agents('a'), budget })
  await asked.promise
  await first.stop({ graceMs: 0 })
  const { lost } = await harness.status(planId)
  await work()
  const { status } = await ended(planId)
  const errorMessage = (await harness.steps(planId))[0]?.payload.errorMessage
  return { lost, status, errorMessage, replies, usage: await harness.usage(planId) }
}

describe('a reply that breaks off', () => {
  it('counts as used in full, is not booked, and is not asked for again beyond the limit', async () => {
    const { lost, status, errorMessage, replies, usage } = await breakOff({ maxTokens: 6000 })
    expect(lost?.tokens).toBeGreaterThan(4096)
    expect({ status, replies, tokens: usage.tokens }).toEqual({ status: 'failed', replies: 1, tokens: 0 })
    expect(errorMessage).toContain('max_tokens')
  })

  it('is asked for again where both fit, as often as it breaks off', async () => {
    const { lost, status, replies, usage } = await breakOff({ maxTokens: 20_000 }, 2)
    expect({ status, replies, tokens: usage.tokens }).toEqual({ status: 'done', replies: 3, tokens: 15 })
    expect(lost?.tokens).toBeGreaterThan(2 * 4096)
  })

  it('counts with a request that the provider refused as with one reply', async () => {
    const refused = Object.assign(new Error('overloaded'), { status: 529 })
    const { lost, status, replies } = await breakOff({ maxTokens: 6000 }, 1, refused)
    expect({ lost, status, replies }).toEqual({ lost: undefined, status: 'done', replies: 2 })
  })
})

/** The first replies break off, and the agent asks again. */
async function breakOff(budget: { readonly maxTokens: number }, times = 1, error = new Error('cut off')) {
  let replies = 0
  const model: Model = {
    async respond({ mayAskAgain }) {
      for (;;) {
        replies += 1
        if (replies > times) return { text: 'Done.', usage: { inputTokens: 10, outputTokens: 5 } }
        if ((await mayAskAgain?.(error)) === false) throw error
      }
    },
  }
  const { harness, ended, work } = world(() => model)
  await work()
  const { planId } = await harness.createPlan({ goal: 'g', steps: agents('a'), budget })
  const { status } = await ended(planId)
  const { lost } = await harness.status(planId)
  const errorMessage = (await harness.steps(planId))[0]?.payload.errorMessage
  return { lost, status, errorMessage, replies, usage: await harness.usage(planId) }
}
