import { createInMemoryStore } from '@agentm/conformance/logs'
import { harnessConcepts, openHarness, replayPlan, type StepKind, startWorker, traceOf } from '@agentm/harness'
import { expect, it } from 'vitest'
import { gate, gateAll, recordedFixtures } from '../src/gate.ts'
import { record } from '../src/record.ts'

it('clears for the suites that come with the harness and for what was recorded', async () => {
  const gates = await gateAll()
  expect(gates.map(({ exitCode, violations }) => [exitCode, violations])).toEqual([
    [0, []],
    [0, []],
    [0, []],
  ])
})

it('names what regressed', async () => {
  const recorded = await recordedFixtures()
  const wrong = recorded.map((fixture) => ({ ...fixture, expect: { success: true, dispatches: 99 } }))
  const { exitCode, violations } = gate(wrong, { minPassRate: 1, maxToolCalls: 1 })
  expect(exitCode).toBe(1)
  expect(violations).toHaveLength(2)
})

it('records a plan as a worker ran it: retries, costs and all', async () => {
  const store = createInMemoryStore({ concepts: harnessConcepts })
  const harness = openHarness({ store, owner: 'ann', actor: 'example' })
  const worker = await startWorker({ store, owners: ['ann'], kinds: [flaky] })
  const retry = { maxFailures: 3, maxCrashes: 5, baseMs: 1, capMs: 1 }
  const steps = [
    { key: 'build', title: 'build', kind: 'flaky', retry },
    { key: 'docs', title: 'docs', kind: 'flaky' },
    { key: 'publish', title: 'publish', kind: 'flaky', dependsOn: ['build', 'docs'] },
    { key: 'announce', title: 'announce', kind: 'flaky', dependsOn: ['publish'] },
  ]
  const { planId } = await harness.createPlan({ goal: 'release', steps })
  while ((await harness.plan(planId)).status !== 'failed') await new Promise((resolve) => setTimeout(resolve, 5))
  await worker.stop()
  const plan = { planId, owner: 'ann' }
  expect(await replayPlan(store.log, plan)).toMatchObject({ matches: true, status: { replayed: 'failed' } })
  const fixture = await record(store.log, { ...plan, name: 'flaky-release' })
  expect(gate([fixture], { minPassRate: 1 }).exitCode).toBe(0)
  expect(fixture.expect).toEqual({ success: false, dispatches: 4 })
  expect((await traceOf(store.log, plan)).timeline).toContain('toolCalls=4 tokens=120')
  await store.close()
})

/** The build works the second time, the publication not at all. */
const flaky: StepKind = {
  name: 'flaky',
  async run(run) {
    const { title, attempt } = run.step
    await run.observe({ kind: 'note', content: `working on ${title}`, data: { toolCalls: 1, tokens: 30 } })
    if (title === 'build' && attempt === 0)
      return { end: 'failed', failure: { message: 'the network is slow', retryable: true } }
    return title === 'publish'
      ? { end: 'failed', failure: { message: 'no permission', retryable: false } }
      : { end: 'done' }
  },
}
