import { createInMemoryStore } from '@agentm/conformance/logs'
import { expect, it } from 'vitest'
import type { ModelReply } from '@agentm/agent-loop'
import { calls, scriptedModel } from '../../../../tools/model-in-process.mjs'
import { agentKind, harnessConcepts, openHarness, startWorker, type Worker } from '../../src/index.ts'
import { type Death, mortalStore } from '../mortal-store.ts'

const owner = 'ada'
const retry = { maxFailures: 1, maxCrashes: 9, baseMs: 1, capMs: 1 }
const schema = { type: 'object', properties: { sum: { const: 4 } }, required: ['sum'] }

const says = (sum: number) => calls(['respondToUser', { text: JSON.stringify({ sum }) }])
/** What is said next follows from what was said before, so a reply that is asked for again is the same one. */
const right: readonly (() => ModelReply)[] = [
  () => says(5),
  () => ({ ...says(6), calls: [], text: '{"sum":6}' }),
  () => says(4),
]
const wrong: readonly (() => ModelReply)[] = [() => says(5), () => says(6), () => says(7), () => says(4)]

it.each([
  ['before', right, 'done'],
  ['after', right, 'done'],
  ['before', wrong, 'failed'],
  ['after', wrong, 'failed'],
] as const)(
  'a worker that dies %s any of its writes loses no round of a check and adds none',
  async (when, replies, status) => {
    for (let at = 1; ; at++) {
      const { died, asked, heard, ...end } = await dieAndGoOn({ at, when }, replies)
      expect(end, `died ${when} write ${at}`).toEqual({ status, rounds: [1, 2, 3], tokens: 45 })
      // The last request of each round has heard of every round before it, once.
      expect(heard, `died ${when} write ${at}`).toEqual([0, 1, 2])
      expect(asked.length - 3, `died ${when} write ${at}, asked for ${asked.join(', ')}`).toBeLessThanOrEqual(1)
      if (!died) break
      expect(at).toBeLessThan(100)
    }
  },
)

async function dieAndGoOn(death: Death, replies: readonly (() => ModelReply)[]) {
  const store = createInMemoryStore({ concepts: harnessConcepts })
  const asked: number[] = []
  const heard: number[] = []
  const model = scriptedModel(({ messages }) => {
    const nth = messages.filter(({ role }) => role === 'assistant').length
    asked.push(nth)
    heard[nth] = messages.filter(({ role, text }) => role === 'user' && text.includes('the check did not pass')).length
    return replies[nth]?.() ?? { text: 'nothing is left to say' }
  })
  const harness = openHarness({ store, owner, actor: 'test' })
  const { planId, steps } = await harness.createPlan({
    goal: 'four',
    steps: [{ key: 'a', title: 'Add', kind: 'agent', retry, check: { schema, rounds: 3 } }],
  })
  const mortal = mortalStore(store, death)
  const start = async (on: typeof store): Promise<Worker> =>
    startWorker({ store: on, owners: [owner], kinds: [agentKind({ log: on.log, modelOf: () => model })] })
  const doomed = start(mortal.store)
  const isOver = async () => ['done', 'failed'].includes((await harness.plan(planId)).status ?? '')
  await until(async () => mortal.isDead() || isOver())
  if (mortal.isDead()) {
    for (const { id } of await store.work.sessions()) await store.work.closeSession(id)
    const heir = await start(store)
    await until(isOver)
    await heir.stop()
  } else await (await doomed).stop()
  const { nodes } = await store.log.scan({
    owner,
    concepts: ['v1:harness:observation'],
    parent: steps['a'] ?? '',
    limit: 200,
  })
  const rounds = nodes.flatMap(({ payload: { data } }) => {
    const { check } = (data ?? {}) as { readonly check?: { readonly is: string; readonly round: number } }
    return check?.is === 'round' ? [check.round] : []
  })
  const { status } = await harness.plan(planId)
  const { tokens } = await harness.usage(planId)
  await store.close()
  return { died: mortal.isDead(), asked, heard, status, rounds: [...new Set(rounds)].toSorted((a, b) => a - b), tokens }
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 1))
}
