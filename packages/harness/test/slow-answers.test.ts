/** What goes wrong only while an answer of the store is on its way; each of these was met in a simulation first. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import type { NodeStore } from '@agentm/nodes'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { harnessConcepts, type Heartbeat, type StepOutcome } from '../src/index.ts'
import { type Beat } from '../src/heartbeat.ts'
import { lookAtPlan } from '../src/look-at-plan.ts'
import { performActions } from '../src/perform-actions.ts'
import { nextActions } from '../src/pure/next-actions.ts'
import { type Setup, setup, steps } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** Calls of these names take a detour. */
function detoured(
  detours: Readonly<Record<string, (call: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>>>,
): NodeStore {
  const whole = createInMemoryStore({ concepts: harnessConcepts })
  const part = <T extends object>(given: T): T =>
    new Proxy(given, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        const detour = detours[String(name)]
        if (typeof member !== 'function' || detour === undefined) return member
        return (...args: readonly unknown[]) => detour(async () => member.apply(target, args), args)
      },
    })
  return { ...whole, log: part(whole.log), work: part(whole.work) }
}

it('a session that is lost while it is opened gets no heartbeat', async () => {
  const beating = new Set<string>()
  const heartbeat: Heartbeat = {
    start({ session }: Beat) {
      beating.add(session)
      return { hurry: () => undefined, stop: async () => void beating.delete(session) }
    },
  }
  let holds = 0
  const store = detoured({
    async hold(call) {
      holds += 1
      // Nobody renews, so the first session is lost, and the second one while it is being opened.
      if (holds === 2) await sleep(250)
      return call()
    },
    async closeSession(call) {
      if (holds === 2) throw new Error('the disk is full')
      return call()
    },
  })
  const world = setup({}, { store })
  open.push(world)
  const worker = await world.worker({ leaseMs: 100, pollMs: 20, heartbeat })
  await expect.poll(() => holds).toBe(3)
  await worker.stop()
  expect([...beating]).toEqual([])
})

it('a budget does not fail a plan whose last step ended well since the plan was looked at', async () => {
  const world = setup()
  open.push(world)
  const { harness, store } = world
  const budget = { maxToolCalls: 1 }
  const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }), budget })
  const context = { store, owner: 'ada', actor: 'test' }
  const [stepId = ''] = Object.values(ids)
  const session = (await store.work.openSession({ actor: 'test', leaseMs: 60_000, facts: {} })).id
  await harness.startStep(stepId, session)
  const called = { stepId, planId, kind: 'tool_result', content: 'called', data: { toolCalls: 1 } }
  await store.log.append([{ concept: 'v1:harness:observation', payload: called, mutation: 'test' }], context)
  const stale = await lookAtPlan(context, planId, { now: Date.now() })
  if (stale === undefined) throw new Error('there is a plan')
  const actions = nextActions(stale)
  expect(actions).toEqual([expect.objectContaining({ do: 'halt' })])
  await harness.completeStep(stepId)
  await performActions(context, stale, actions)
  expect((await harness.plan(planId)).status).not.toBe('failed')
  await world.worker()
  expect((await world.ended(planId)).status).toBe('done')
})

it('a step that waited and runs again before its wait is acknowledged takes the place of one step, not of two', async () => {
  let [now, most] = [0, 0]
  const store = detoured({
    async append(call, [drafts]) {
      const answer = await call()
      const isWait = (drafts as readonly { readonly mutation: string }[]).some(
        ({ mutation }) => mutation === 'blockHarnessStep',
      )
      if (isWait) await sleep(300)
      return answer
    },
  })
  let runs = 0
  const world = setup({}, { store })
  open.push(world)
  const { harness } = world
  const { planId } = await harness.createPlan({ goal: 'waits', steps: steps({ a: [] }) })
  const other: string[] = []
  const run = async (): Promise<StepOutcome> => {
    if (++runs === 1) return { end: 'waits', waitsFor: { for: 'time', until: 0 } }
    if (runs === 2) other.push((await harness.createPlan({ goal: 'other', steps: steps({ b: [] }) })).planId)
    await sleep(150)
    return { end: 'done' }
  }
  await world.worker({
    slots: 1,
    pollMs: 20,
    kinds: [
      {
        name: 'scripted',
        async run() {
          most = Math.max(most, ++now)
          return run().finally(() => (now -= 1))
        },
      },
    ],
  })
  expect((await world.ended(planId)).status).toBe('done')
  expect((await world.ended(other[0] ?? '')).status).toBe('done')
  expect([runs, most]).toEqual([3, 1])
})
