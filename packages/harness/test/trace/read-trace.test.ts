import { describe, expect, it } from 'vitest'
import { readTrace, traceMetrics, traceOf } from '../../src/index.ts'
import { planVersions } from '../../src/trace/read-trace.ts'
import { type SampleLog, sampleLog } from './sample-log.ts'

async function smallPlan(log: SampleLog): Promise<void> {
  await log.newPlan('p1', { s1: [] })
  log.pass(500)
  await log.to('s1', 'ready')
  await log.to('s1', 'running')
  await log.observe('p1', 's1', 'tool_result', { toolName: 'read', tokens: 30, tokenCost: 2.9 })
  await log.observe('p1', 's1', 'note', { tokens: 'many' })
  log.pass(700)
  await log.to('s1', 'done')
  const end = { status: 'done' }
  await log.write({ of: 'plan', id: 'p1', payload: end, mutation: 'finishHarnessPlan', update: true })
}

describe('traceOf', () => {
  it('answers with the timeline of the caller’s plan', async () => {
    const log = sampleLog()
    await smallPlan(log)
    const answer = await traceOf(log.store.log, { planId: 'p1', owner: 'ann' })
    expect(answer).toMatchObject({ planId: 'v1:harness:plan:p1', complete: true, stepCount: 1 })
    expect(answer.timeline).toBe(`Plan v1:harness:plan:p1
  goal:   goal of p1
  status: done
  success=true steps=1 (done=1 failed=0) toolCalls=1 tokens=32 wall=1.2s observations=2

Timeline:
  2026-03-01T10:00:00Z  [plan]   open     createHarnessPlan by reconciler
  2026-03-01T10:00:00Z  [step]   pending  addHarnessStep by reconciler -- v1:harness:step:s1 (title of s1)
  2026-03-01T10:00:00Z  [step]   ready    readyHarnessStep by reconciler -- v1:harness:step:s1 (title of s1)
  2026-03-01T10:00:00Z  [step]   running  startHarnessStep by reconciler -- v1:harness:step:s1 (title of s1)
  2026-03-01T10:00:00Z  [obs]    tool_result tool=read by reconciler -- tool_result of s1
  2026-03-01T10:00:00Z  [obs]    note     by reconciler -- note of s1
  2026-03-01T10:00:01Z  [step]   done     completeHarnessStep by reconciler -- v1:harness:step:s1 (title of s1)
  2026-03-01T10:00:01Z  [plan]   done     finishHarnessPlan by reconciler
`)
  })

  it('tells of one moment, whatever is written while it reads', async () => {
    const log = sampleLog()
    await log.newPlan('p1', { s1: [] })
    await log.to('s1', 'ready')
    const scan: typeof log.store.log.scan = async (query) => {
      const page = await log.store.log.scan(query)
      // The plan was read, and its steps are not yet.
      if (query.ids !== undefined) await log.to('s1', 'running')
      return page
    }
    const seen = { position: () => log.store.log.position(), scan }
    const { events } = await readTrace(seen, { planId: 'p1', owner: 'ann' })
    expect(events.map(({ status }) => status)).toEqual(['open', 'pending', 'ready'])
  })

  it('gives a foreign owner exactly the answer of an id that is not there', async () => {
    const log = sampleLog()
    await smallPlan(log)
    const foreign = await traceOf(log.store.log, { planId: 'p1', owner: 'bob' })
    const absent = await traceOf(sampleLog().store.log, { planId: 'p1', owner: 'bob' })
    expect(foreign).toEqual(absent)
    expect(absent).toEqual({
      planId: 'v1:harness:plan:p1',
      complete: false,
      stepCount: 0,
      timeline: `Plan v1:harness:plan:p1
  status: (unknown)
  success=false steps=0 (done=0 failed=0) toolCalls=0 tokens=0 wall=0ms observations=0

(no events recorded for this plan)
`,
    })
  })

  it('shows nothing that another owner wrote about the plan', async () => {
    const log = sampleLog()
    await smallPlan(log)
    const concept = 'v1:harness:observation'
    const payload = { ownerUserId: 'bob', planId: 'v1:harness:plan:p1', kind: 'note', content: 'psst' }
    await log.store.log.append([{ concept, payload, mutation: 'x' }], { owner: 'bob', actor: 'bob' })
    expect((await traceOf(log.store.log, { planId: 'p1', owner: 'ann' })).timeline).not.toContain('psst')
    expect((await traceOf(log.store.log, { planId: 'p1', owner: 'bob' })).timeline).not.toContain('psst')
  })

  it.each([
    ['', 'INVALID_ID'],
    ['  ', 'INVALID_ID'],
    ['v1:harness:step:s1', 'INVALID_ID'],
  ])('refuses %j', async (planId, code) => {
    await expect(traceOf(sampleLog().store.log, { planId, owner: 'ann' })).rejects.toMatchObject({ code })
  })

  it('has figures that are those of the log, whatever the log holds', async () => {
    const log = sampleLog()
    await log.newPlan('p2', { a: [], b: ['a'] })
    await log.observe('p2', undefined, 'decision', { choice: 'halt_plan' })
    await log.observe('p2', 'a', 'tool_result', { toolCalls: 3, tokens: 10 })
    await log.observe('p2', 'a', 'tool_result', { toolCalls: 0 })
    await log.observe('p2', 'b', 'error', { toolCalls: 1, tokens: -5 })
    const { nodes } = await log.store.log.scan({ owner: 'ann', concepts: ['v1:harness:observation'], versions: 'all' })
    const trace = await readTrace(log.store.log, { planId: 'p2', owner: 'ann' })
    expect(traceMetrics(trace)).toMatchObject({ toolCalls: 4, tokens: 10, errors: 1, observations: nodes.length })
    expect(trace.steps.map(({ id, observations }) => [id, observations])).toEqual([
      ['v1:harness:step:a', 2],
      ['v1:harness:step:b', 1],
    ])
  })

  it('reads every page there is', async () => {
    const log = sampleLog()
    await log.newPlan('p3', { a: [], b: [], c: [] })
    for (let i = 0; i < 20; i++) await log.observe('p3', 'a', 'note')
    const id = 'v1:harness:plan:p3'
    const paged = await planVersions(log.store.log, { id, owner: 'ann', pageSize: 3 })
    expect(paged).toHaveLength(24)
    expect(paged).toEqual(await planVersions(log.store.log, { id, owner: 'ann' }))
  })
})
