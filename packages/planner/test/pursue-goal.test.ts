import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { systemRuntime } from '@agentm/agent-loop'
import { agentKind, agentWithoutModel } from '@agentm/harness'
import { openPlanner, pursueGoal, type PursueOptions } from '../src/index.ts'
import { defineTool, type Model } from '@agentm/agent-loop'
import { calls, scriptedModel } from '../../../tools/model-in-process.mjs'
import { type Setup, setup } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) {
    await each.close()
    if (each.errors.length > 0) throw new AggregateError(each.errors)
  }
})

const goal = 'Bring the service up, then check that it answers'
const planOf = (...titles: readonly string[]) => ({
  text: JSON.stringify({
    steps: titles.map((title, i) => ({ key: `s${i}`, title, dependsOn: i === 0 ? [] : [`s${i - 1}`] })),
  }),
  usage: { inputTokens: 10, outputTokens: 10 },
})

function world(plans: Model, agent: Model, options: Partial<PursueOptions> = {}) {
  const made = setup()
  open.push(made)
  const context = { store: made.store, owner: 'ada', actor: 'planner' }
  const planner = openPlanner({
    ...context,
    model: plans,
    tools: [{ name: 'ring', nature: 'pure' }],
    retry: { maxFailures: 1 },
  })
  const ring = defineTool({
    name: 'ring',
    description: 'Rings.',
    input: z.object({ n: z.number() }),
    nature: 'pure',
    // Whoever watches has noticed by the time it rings for the twentieth time.
    run: async ({ n }, { signal }) =>
      n < 20
        ? `nobody answers number ${n}`
        : new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
          }),
  })
  const replanned: string[] = []
  return {
    ...made,
    planner,
    replanned,
    work: async () => made.worker({ kinds: [agentKind({ log: made.store.log, modelOf: () => agent, tools: [ring] })] }),
    pursue: async (planId: string) =>
      pursueGoal(planId, {
        ...context,
        planner,
        runtime: systemRuntime,
        pollMs: 2,
        onReplan: (_, why) => replanned.push(why),
        ...options,
      }),
    decisions: async (planId: string) =>
      (
        await made.store.log.scan({
          owner: 'ada',
          related: { field: 'planId', to: planId },
          concepts: ['v1:harness:observation'],
        })
      ).nodes
        .map(({ payload }) => payload['data'] as Record<string, unknown>)
        .filter((data) => data['choice'] !== undefined),
  }
}

const fails = { ...calls(['nope', {}]), text: 'Hm.' }
const reports = calls(['respondToUser', { text: 'It answers.' }])

/** Fails every step until it is told of `title`. */
const untilPlannedAs = (title: string) =>
  scriptedModel(({ messages }) => (messages.some(({ text }) => text.includes(title)) ? reports : fails))

describe('a goal that is pursued', () => {
  it('is reached by the plan there is', async () => {
    const { planner, work, pursue, replanned } = world(scriptedModel(planOf('Start', 'Check')), scriptedModel(reports))
    await work()
    const { planId } = await planner.plan({ goal })
    expect(await pursue(planId)).toEqual({ planId, status: 'done', revision: 0 })
    expect(replanned).toEqual([])
  })

  it('is planned anew when its plan failed, with what is known of that', async () => {
    const plans = scriptedModel(planOf('Start', 'Check'), planOf('Another way'))
    const { planner, work, pursue, harness, decisions, replanned } = world(plans, untilPlannedAs('Another way'))
    await work()
    const { planId } = await planner.plan({ goal, budget: { maxSteps: 20, maxTokens: 100_000 } })
    const end = await pursue(planId)
    expect(end).toMatchObject({ status: 'done', revision: 1 })
    expect(replanned).toHaveLength(1)
    const [old, fresh] = [await harness.plan(planId), await harness.plan(end.planId)]
    expect(old.payload.status).toBe('failed')
    expect(fresh.payload).toMatchObject({ follows: planId, revision: 1, goal })
    // What the first plan used is gone for the second.
    expect(fresh.payload.budget?.maxSteps).toBe(20 - (await harness.usage(planId)).steps)
    expect(JSON.parse(plans.requests[1]?.messages.at(-1)?.text ?? '')).toMatchObject({
      earlier: {
        status: 'failed',
        steps: [
          { title: 'Start', status: 'failed' },
          { title: 'Check', status: 'pending' },
        ],
      },
    })
    const recorded = await decisions(end.planId)
    expect(recorded[0]).toMatchObject({ choice: 'replan', follows: planId, revision: 1 })
    expect(recorded[1]).toMatchObject({ choice: 'decompose' })
  })

  it('is given up when it was planned anew as often as it may be', async () => {
    const { planner, work, pursue, replanned, store } = world(scriptedModel(planOf('Start')), scriptedModel(fails), {
      replans: 2,
    })
    await work()
    const { planId } = await planner.plan({ goal })
    expect(await pursue(planId)).toMatchObject({ status: 'failed', revision: 2 })
    expect(replanned).toHaveLength(2)
    const { nodes } = await store.log.scan({ owner: 'ada', concepts: ['v1:harness:plan'] })
    expect(nodes.map(({ status, payload }) => [status, payload['revision']])).toEqual([
      ['failed', undefined],
      ['failed', 1],
      ['failed', 2],
    ])
  })

  it('is planned anew when it gets nowhere, and what still ran is stopped in the same append', async () => {
    let n = 0
    const busy = scriptedModel(({ messages }) =>
      messages.some(({ text }) => text.includes('Another way')) ? reports : calls(['ring', { n: n++ }]),
    )
    const plans = scriptedModel(planOf('Start', 'Check'), planOf('Another way'))
    const { planner, work, pursue, harness, replanned, store } = world(plans, busy, { limits: { observations: 12 } })
    await work()
    const { planId } = await planner.plan({ goal })
    const end = await pursue(planId)
    expect(end).toMatchObject({ status: 'done', revision: 1 })
    expect(replanned[0]).toContain('no step ended well')
    const old = await harness.plan(planId)
    expect(old.payload).toMatchObject({ status: 'cancelled', reason: replanned[0] })
    const { nodes } = await store.log.scan({ owner: 'ada', parent: planId, concepts: ['v1:harness:step'] })
    expect(nodes.map(({ status }) => status)).toEqual(['pending', 'failed'])
    // The end of the one and the beginning of the other are neighbours in the log.
    const fresh = await store.log.history(end.planId, { owner: 'ada' })
    expect(fresh[0]?.createdAt).toBe(old.createdAt)
  })

  it('ends with the reason when it gets nowhere and may not be planned anew', async () => {
    let n = 0
    const busy = scriptedModel(() => calls(['ring', { n: n++ }]))
    const { planner, work, pursue, harness, decisions } = world(scriptedModel(planOf('Start')), busy, {
      limits: { observations: 12 },
      replans: 0,
    })
    await work()
    const { planId } = await planner.plan({ goal })
    expect(await pursue(planId)).toMatchObject({ status: 'failed', revision: 0 })
    expect((await harness.plan(planId)).payload.errorMessage).toContain('stalled')
    expect((await decisions(planId)).at(-1)).toMatchObject({ choice: 'give_up' })
  })

  it('is not planned anew with a budget that is used up, and no model is asked', async () => {
    const plans = scriptedModel(planOf('Start', 'Check', 'Look'))
    const { planner, work, pursue } = world(plans, scriptedModel(reports))
    await work()
    const { planId } = await planner.plan({ goal, budget: { maxSteps: 2 } })
    expect(await pursue(planId)).toMatchObject({ status: 'failed', revision: 0 })
    expect(plans.requests).toHaveLength(1)
  })

  it('is not planned anew where its model refuses: the next plan would meet the same', async () => {
    const away = scriptedModel(Object.assign(new Error('401 unauthorized'), { status: 401 }))
    const { planner, work, pursue, replanned } = world(scriptedModel(planOf('Start')), away)
    await work()
    const { planId } = await planner.plan({ goal })
    expect(await pursue(planId)).toMatchObject({ status: 'failed', revision: 0 })
    expect(replanned).toEqual([])
  })

  it('is left where a person has to say something', async () => {
    const { planner, worker, pursue, harness } = world(scriptedModel(planOf('Start', 'Check')), scriptedModel(reports))
    await worker({ kinds: [agentWithoutModel()] })
    const { planId } = await planner.plan({ goal })
    expect(await pursue(planId)).toEqual({ planId, status: 'waiting', revision: 0 })
    expect((await harness.waiting(planId)).map(({ status }) => status)).toEqual(['pending', 'blocked'])
  })

  it('that somebody cancelled is cancelled', async () => {
    const { planner, pursue, harness } = world(scriptedModel(planOf('Start')), scriptedModel(reports))
    const { planId } = await planner.plan({ goal })
    const pursued = pursue(planId)
    await harness.cancelPlan(planId)
    expect(await pursued).toEqual({ planId, status: 'cancelled', revision: 0 })
  })

  it('pursued by two is planned anew once', async () => {
    const plans = scriptedModel(planOf('Start'), planOf('Another way'))
    const { planner, work, pursue, store } = world(plans, untilPlannedAs('Another way'))
    await work()
    const { planId } = await planner.plan({ goal })
    const ends = await Promise.all([pursue(planId), pursue(planId)])
    expect(ends[0]).toEqual(ends[1])
    expect(ends[0]).toMatchObject({ status: 'done', revision: 1 })
    expect((await store.log.scan({ owner: 'ada', concepts: ['v1:harness:plan'] })).nodes).toHaveLength(2)
  })
})

describe('a goal that is planned anew', () => {
  it('gives the next plan no money that may be charged for a reply that was lost with its worker', async () => {
    const silent: Model & { asked: number } = {
      asked: 0,
      async respond({ signal }) {
        silent.asked += 1
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('broken off')))
        })
      },
    }
    const plans = scriptedModel(planOf('Start'), planOf('Start'))
    const { planner, work, harness } = world(plans, silent)
    const worker = await work()
    const { planId } = await planner.plan({ goal, budget: { maxTokens: 100_000 } })
    await expect.poll(() => silent.asked).toBe(1)
    await worker.stop({ graceMs: 0 })
    const { tokens } = await harness.usage(planId)
    const next = await planner.replan(planId, { why: 'it takes too long' })
    const { budget } = (await harness.plan(next?.planId ?? '')).payload
    // 4096 is what the reply may have held.
    expect(budget?.maxTokens).toBeLessThan(100_000 - tokens - 4096)
    expect(budget?.maxTokens).toBeGreaterThan(90_000)
  })

  it('shows the same files to all agents of each of its plans, and tells the planner their names', async () => {
    const plans = scriptedModel(planOf('Start', 'Check'), planOf('Another way'))
    const { planner, harness } = world(plans, scriptedModel(reports))
    const file = {
      kind: 'image' as const,
      mediaType: 'image/png',
      name: 'shot.png',
      hash: '0'.repeat(64),
      bytes: 70,
      tokens: 5000,
    }
    const { planId } = await planner.plan({ goal, files: [file] })
    const next = await planner.replan(planId, { why: 'it takes too long' })
    const filesOf = async (id: string) => (await harness.steps(id)).map(({ payload }) => payload.input?.['files'])
    expect([await filesOf(planId), await filesOf(next?.planId ?? '')]).toEqual([[[file], [file]], [[file]]])
    expect(plans.requests.map(({ messages }) => messages.at(-1)?.text)).toEqual([
      expect.stringContaining('"files":["shot.png"]'),
      expect.stringContaining('"files":["shot.png"]'),
    ])
  })
})
