import { afterEach, expect, it } from 'vitest'
import { openHarness } from '../src/index.ts'
import { type Setup, setup, steps } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

it('is the same whether it was asked for all along or for the first time', async () => {
  const used = { kind: 'tool_result', content: 'called', data: { toolCalls: 2, tokens: 30, costMicros: 5 } } as const
  const work = async (run: { observe: (observation: typeof used) => Promise<string> }) => {
    await run.observe(used)
    return { end: 'done' as const }
  }
  const made = setup({
    a: async (run) => {
      await run.startPlan({ key: 'c', goal: 'c', steps: steps({ inner: [] }) })
      return work(run)
    },
    b: work,
    inner: work,
  })
  open.push(made)
  const { harness, store } = made
  const budget = { maxSteps: 100, maxTokens: 10_000 }
  const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], b: ['a'] }), budget })
  expect(await harness.usage(planId)).toMatchObject({ steps: 0, tokens: 0 })
  await made.worker()
  expect((await made.ended(planId)).status).toBe('done')
  const { nodes } = await store.log.scan({ owner: 'ada', parent: planId, concepts: ['v1:harness:plan'] })
  for (const { id } of nodes) await made.ended(id)
  const asked = await Promise.all([harness.usage(planId), harness.usage(planId), harness.usage(planId)])
  // Another log object, as another process has it, has folded nothing yet.
  const elsewhere = openHarness({ store: { ...store, log: { ...store.log } }, owner: 'ada', actor: 'test' })
  const { wallClockMs: _, ...fresh } = await elsewhere.usage(planId)
  const inner = nodes.length
  expect(fresh).toMatchObject({ steps: 2 + inner, toolCalls: 6, tokens: 90, costMicros: 15 })
  for (const each of asked) expect(each).toMatchObject(fresh)
})
