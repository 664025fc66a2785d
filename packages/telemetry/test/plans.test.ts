import { createInMemoryStore } from '@agentm/conformance/logs'
import { harnessConcepts, openHarness, startWorker, type StepKind } from '@agentm/harness'
import { afterEach, expect, it, vi } from 'vitest'
import { planIds } from '@agentm/telemetry'
import { keepSpans, type Kept } from './spans.ts'

let kept: Kept | undefined
afterEach(() => kept?.close())

const owner = 'ada'
const work = (does: StepKind['run']): StepKind => ({ name: 'work', run: does })

function open(options?: Parameters<typeof keepSpans>[0]) {
  const opened = (kept = keepSpans(options))
  const raw = createInMemoryStore({ concepts: harnessConcepts })
  const store = opened.telemetry.store(raw, { owners: [owner] })
  return { ...opened, raw, store, harness: openHarness({ store, owner, actor: 'test' }) }
}

async function run(opened: ReturnType<typeof open>, kind: StepKind, until?: () => boolean) {
  const worker = await startWorker({
    store: opened.store,
    owners: [owner],
    kinds: [opened.telemetry.kind(kind)],
    pollMs: 20,
  })
  await (until === undefined ? worker.idle() : vi.waitUntil(until, { timeout: 20_000 }))
  await worker.stop()
  await opened.telemetry.settled()
}

it('reports a plan as one tree: plan, steps, attempts', async () => {
  const opened = open()
  const steps = [
    { key: 'a', title: 'secret title a', kind: 'work' },
    { key: 'b', title: 'secret title b', kind: 'work', dependsOn: ['a'] },
  ]
  const { planId } = await opened.harness.createPlan({ goal: 'secret goal', steps })
  await run(
    opened,
    work(async () => ({ end: 'done', result: { text: 'secret result' } })),
  )
  const [plan] = opened.named('plan')
  expect(opened.spans.map(({ name }) => name).toSorted()).toEqual([
    'attempt work',
    'attempt work',
    'plan',
    'step work',
    'step work',
  ])
  expect(plan?.parentSpanContext).toBeUndefined()
  expect(plan?.attributes).toMatchObject({ 'agentm.plan.id': planId, 'agentm.plan.status': 'done' })
  for (const step of opened.named('step work')) expect(step.parentSpanContext?.spanId).toBe(plan?.spanContext().spanId)
  const stepIds = opened.named('step work').map((span) => span.spanContext().spanId)
  expect(
    opened
      .named('attempt work')
      .map((span) => span.parentSpanContext?.spanId ?? '')
      .toSorted(),
  ).toEqual(stepIds.toSorted())
  expect(new Set(opened.spans.map((span) => span.spanContext().traceId)).size).toBe(1)
  expect(
    JSON.stringify(opened.spans.map(({ attributes, events, status }) => ({ attributes, events, status }))),
  ).not.toContain('secret')
})

it('reports each attempt of a step that is retried, below the one step', async () => {
  const opened = open()
  const retry = { maxFailures: 3, baseMs: 1, capMs: 1 }
  await opened.harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'a', kind: 'work', retry }] })
  let tries = 0
  const busy = { message: 'secret text', code: 'BUSY', retryable: true }
  await run(
    opened,
    work(async () => (++tries < 3 ? { end: 'failed', failure: busy } : { end: 'done' })),
    () => opened.named('plan').length === 1,
  )
  expect(opened.named('attempt work').map(({ attributes }) => attributes['agentm.step.ended'])).toEqual([
    'failed',
    'failed',
    'done',
  ])
  expect(opened.named('attempt work').map(({ attributes }) => attributes['agentm.step.attempt'])).toEqual([0, 1, 2])
  const [step, ...more] = opened.named('step work')
  expect(more).toEqual([])
  expect(step?.startTime).toEqual(opened.named('attempt work')[0]?.startTime)
  for (const attempt of opened.named('attempt work'))
    expect(attempt.parentSpanContext?.spanId).toBe(step?.spanContext().spanId)
})

it('says what kind of error ended a step, and its text only if texts are exported', async () => {
  const fail = work(async () => ({
    end: 'failed',
    failure: { message: 'the secret text', code: 'BROKEN', retryable: false },
  }))
  for (const content of [false, true]) {
    const opened = open({ content })
    await opened.harness.createPlan({ goal: 'the goal', steps: [{ key: 'a', title: 'a', kind: 'work' }] })
    await run(opened, fail)
    const [attempt] = opened.named('attempt work')
    expect(attempt?.attributes).toMatchObject({ 'agentm.step.ended': 'failed', 'error.type': 'BROKEN' })
    expect(attempt?.events[0]?.attributes?.['exception.message']).toBe(content ? 'the secret text' : undefined)
    expect(opened.named('plan')[0]?.status.code).toBe(2)
    expect(opened.named('plan')[0]?.attributes['agentm.plan.goal']).toBe(content ? 'the goal' : undefined)
    opened.close()
  }
})

it('reports the attempt of a worker that is gone, and a step that was retried by hand, without a double', async () => {
  const opened = open()
  const { steps } = await opened.harness.createPlan({
    goal: 'g',
    steps: [
      { key: 'a', title: 'a', kind: 'work', retry: { maxFailures: 1 } },
      { key: 'b', title: 'b', kind: 'later' },
    ],
  })
  // A process without telemetry claims the step, and dies.
  const { id: session } = await opened.raw.work.openSession({ actor: 'other', leaseMs: 60_000 })
  const claim = { session, owners: [owner], concepts: ['v1:harness:step'], kinds: ['work'], actor: 'other', k: 1 }
  expect(await opened.raw.work.take(claim)).toHaveLength(1)
  await opened.raw.work.closeSession(session)
  const no = { message: 'no', code: 'NO', retryable: false }
  const fails = work(async () => ({ end: 'failed', failure: no }))
  await run(opened, fails, () => opened.named('step work').length === 1)
  const ends = () => opened.named('attempt work').map(({ attributes }) => attributes['agentm.step.ended'])
  expect(ends()).toEqual(['lost', 'failed'])

  await opened.harness.retryStep(steps['a'] ?? '', { actor: owner })
  const succeeds = work(async () => ({ end: 'done' }))
  await run(opened, succeeds, () => opened.named('step work').length === 2)
  await run(opened, { ...succeeds, name: 'later' }, () => opened.named('plan').length === 1)
  expect(ends()).toEqual(['lost', 'failed', 'done'])
  const [step, again] = opened.named('step work')
  for (const attempt of opened.named('attempt work'))
    expect(attempt.parentSpanContext?.spanId).toBe(step?.spanContext().spanId)
  expect(again?.links[0]?.context.spanId).toBe(step?.spanContext().spanId)
  const ids = opened.spans.map((span) => span.spanContext().spanId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(opened.spans.map((span) => span.spanContext().traceId)).size).toBe(1)
})

it('ends the spans of steps that wait when their plan is cancelled', async () => {
  const opened = open()
  const { planId } = await opened.harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'a', kind: 'work' }] })
  await run(
    opened,
    work(async () => ({ end: 'asks', question: { id: 'q', text: 'Really?' } })),
  )
  expect(opened.named('attempt work')[0]?.attributes['agentm.step.ended']).toBe('waiting')
  await opened.harness.cancelPlan(planId, { actor: owner })
  await opened.telemetry.settled()
  expect(opened.spans.map(({ name }) => name).toSorted()).toEqual(['attempt work', 'plan', 'step work'])
  expect(opened.named('plan')[0]?.attributes['agentm.plan.status']).toBe('cancelled')
})

it('keeps a plan in one trace also if the provider makes ids of its own', async () => {
  planIds.isInUse = false
  const opened = open({ ownIds: false })
  await opened.harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'a', kind: 'work' }] })
  await run(
    opened,
    work(async () => ({ end: 'done' })),
  )
  expect(opened.spans).toHaveLength(3)
  expect(new Set(opened.spans.map((span) => span.spanContext().traceId)).size).toBe(1)
})
