import { createInMemoryStore } from '@agentm/conformance/logs'
import { durable, harnessConcepts, openHarness, type Run, startWorker } from '@agentm/harness'
import { deriveId } from '@agentm/nodes'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepSpans, type Kept } from './spans.ts'

let kept: Kept | undefined
// Other libraries find the span that they belong to by it.
beforeEach(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterEach(() => {
  kept?.close()
  context.disable()
})

const owner = 'ada'
const anything = {
  input: { '~standard': { version: 1 as const, vendor: 'test', validate: () => ({ value: {} }) } },
}
const job = (body: (run: Run) => Promise<unknown>) => durable('job', anything, body)
const soon = { maxFailures: 3, baseMs: 1, capMs: 1 }

function open(options?: Parameters<typeof keepSpans>[0]) {
  const opened = (kept = keepSpans(options))
  const raw = createInMemoryStore({ concepts: harnessConcepts })
  const store = opened.telemetry.store(raw, { owners: [owner] })
  const harness = openHarness({ store, owner, actor: 'test' })
  const names = () => opened.spans.map(({ name }) => name).filter((name) => name.startsWith('run.'))
  const work = (...kinds: readonly ReturnType<typeof job>[]) =>
    startWorker({ store, owners: [owner], kinds: kinds.map((kind) => opened.telemetry.kind(kind)), pollMs: 20 })
  return { ...opened, raw, store, harness, names, work }
}

/** Runs a function to its end. */
async function ran(
  opened: ReturnType<typeof open>,
  body: (run: Run) => Promise<unknown>,
  ...others: ReturnType<typeof job>[]
) {
  const made = job(body)
  const worker = await opened.work(made, ...others)
  const handle = await opened.harness.start(made, {})
  const result = await handle.result().catch((error: Error) => error)
  await worker.stop()
  await opened.telemetry.settled()
  return { handle, result }
}

/** A process without telemetry begins a step of a function, and dies. */
async function beginAndDie({ raw, harness }: ReturnType<typeof open>, kind: ReturnType<typeof job>) {
  const { planId, steps } = await harness.createPlan({ goal: 'g', steps: [kind.step({})] })
  const { id: session } = await raw.work.openSession({ actor: 'other', leaseMs: 60_000 })
  const claim = { session, owners: [owner], concepts: ['v1:harness:step'], kinds: [kind.name], actor: 'other', k: 1 }
  const [step] = await raw.work.take(claim)
  const [stepId, at] = [steps['run'] ?? '', step?.createdAt ?? 0]
  const begun = {
    planId,
    stepId,
    position: 0,
    op: 'step',
    name: 'charge',
    status: 'running',
    startedAt: at,
    intentAt: at,
  }
  const id = deriveId('v1:harness:entry', stepId, '0')
  const draft = { concept: 'v1:harness:entry', id, payload: begun, mutation: 'recordHarnessEntry' }
  await raw.log.append([draft], { owner, actor: 'other', partition: step?.partition ?? '' })
  await raw.work.closeSession(session)
  return { planId, at }
}

const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId
const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId

function ms([seconds = 0, nanos = 0]: readonly number[]): number {
  return seconds * 1000 + nanos / 1e6
}

describe('what a durable function asks for', () => {
  it('is one span each below its step, however many passes there were', async () => {
    const opened = open()
    let passes = 0
    await ran(opened, async (run) => {
      passes += 1
      await run.step('one', () => 1)
      await run.map('each', ['a', 'b'], (item) => item)
      await run.sleep(120)
      await run.step('charge', () => 2, { nature: 'effectful' })
      await run.show('state', 'secret state')
    })
    expect(passes).toBeGreaterThan(1)
    expect(opened.names()).toEqual(['run.step one', 'run.step each', 'run.step each', 'run.sleep', 'run.step charge'])
    const [step] = opened.named('step function:job')
    const inside = opened.spans.filter(({ name }) => name.startsWith('run.'))
    for (const span of inside) expect(parentOf(span)).toBe(idOf(step))
    expect(inside.map(({ attributes }) => attributes['agentm.function.position'])).toEqual([0, 1, 2, 3, 4])
    expect(inside[1]?.attributes['agentm.function.name']).toBe('each[0]')
    expect(new Set(opened.spans.map(idOf)).size).toBe(opened.spans.length)
    expect(new Set(opened.spans.map((span) => span.spanContext().traceId)).size).toBe(1)
    const [sleep] = opened.named('run.sleep')
    expect(ms(sleep?.endTime ?? []) - ms(sleep?.startTime ?? [])).toBeGreaterThanOrEqual(120)
    expect(opened.named('attempt function:job').flatMap(({ events }) => events.map(({ name }) => name))).toEqual([
      'run.show',
    ])
    expect(JSON.stringify(opened.spans.map(({ attributes, events }) => ({ attributes, events })))).not.toContain(
      'secret',
    )
  })

  it('has below it what its code reports, in any library, also what takes it back', async () => {
    const opened = open()
    const tracer = trace.getTracer('other')
    const inside = (name: string) => () => tracer.startSpan(name).end()
    await ran(opened, async (run) => {
      await run.step('kept', inside('in kept'), { undo: inside('in undo') })
      await run.map('each', ['a'], inside('in each'))
      throw new Error('take it back')
    })
    for (const [name, above] of [
      ['in kept', 'run.step kept'],
      ['in each', 'run.step each'],
      ['in undo', 'run.step undo kept'],
    ] as const)
      expect(parentOf(opened.named(name)[0])).toBe(idOf(opened.named(above)[0]))
  })

  it('shows each attempt of a step that failed, and the error by its code', async () => {
    const opened = open()
    const tracer = trace.getTracer('other')
    let tries = 0
    const { result } = await ran(opened, async (run) =>
      run.step(
        'flaky',
        () => {
          tracer.startSpan(`try ${(tries += 1)}`).end()
          if (tries < 3) throw Object.assign(new Error('the secret text'), { code: 'BUSY' })
          return tries
        },
        { retry: soon },
      ),
    )
    expect(result).toBe(3)
    const [step, ...more] = opened.named('run.step flaky')
    expect(more).toEqual([])
    expect(step?.status.code).toBe(0)
    const attempts = opened.named('attempt flaky')
    expect(attempts.map(({ attributes }) => attributes['agentm.function.ended'])).toEqual(['failed', 'failed', 'done'])
    expect(attempts.map(({ attributes }) => attributes['agentm.function.attempt'])).toEqual([0, 1, 2])
    expect(attempts.map(({ attributes }) => attributes['error.type'])).toEqual(['BUSY', 'BUSY', undefined])
    for (const attempt of attempts) expect(parentOf(attempt)).toBe(idOf(step))
    expect(step?.startTime).toEqual(attempts[0]?.startTime)
    for (const n of [1, 2, 3]) expect(parentOf(opened.named(`try ${n}`)[0])).toBe(idOf(attempts[n - 1]))
    expect(JSON.stringify(opened.spans.map(({ events }) => events))).not.toContain('secret')
  })

  it('is linked to the plan that it waits for, and names functions but no goals', async () => {
    const opened = open()
    const child = durable('child', anything, async (run) => run.step('inner', () => 7))
    await ran(
      opened,
      async (run) => {
        await run.call(child, {})
        await run.plan({ goal: 'secret goal', steps: [{ key: 'a', title: 'secret title', kind: 'function:child' }] })
      },
      child,
    )
    const [call, plan] = [opened.named('run.call child')[0], opened.named('run.call')[0]]
    const plans = opened.named('plan')
    expect(plans).toHaveLength(3)
    for (const each of [call, plan]) {
      const to = plans.find((one) => idOf(one) === each?.links[0]?.context.spanId)
      expect(to?.attributes['agentm.plan.id']).toBe(each?.attributes['agentm.child.plan.id'])
      // It leads back to the function that waited.
      expect(to?.links[0]?.context.traceId).toBe(each?.spanContext().traceId)
    }
    expect(JSON.stringify(opened.spans.map(({ name, attributes }) => ({ name, attributes })))).not.toContain('secret')
  })

  it.each([false, true])('says the text of a question only if texts are exported: %s', async (content) => {
    const opened = open({ content })
    const made = job(async (run) => run.race({ answer: run.ask('secret question?'), bell: run.signal('bell') }))
    const worker = await opened.work(made)
    const handle = await opened.harness.start(made, {})
    await vi.waitUntil(() => opened.named('attempt function:job').length === 1)
    await handle.signal('bell')
    await handle.result()
    await worker.stop()
    await opened.telemetry.settled()
    // The question lost the race.
    expect(opened.names().toSorted()).toEqual(['run.ask', 'run.signal bell'])
    const ended = (name: string) => opened.named(name)[0]?.attributes['agentm.function.ended']
    expect([ended('run.ask'), ended('run.signal bell')]).toEqual(['cancelled', 'done'])
    const text = opened.named('run.ask')[0]?.attributes['agentm.function.name']
    expect(text).toBe(content ? 'secret question?' : undefined)
    opened.close()
  })
})

describe('a step whose worker was lost', () => {
  it.each([
    ['retry', ['lost', 'done'], 'done'],
    ['fail', ['lost'], 'failed'],
  ] as const)('is reported by the one that takes over, which does "%s"', async (onUnknown, attempts, ended) => {
    const opened = open()
    const tracer = trace.getTracer('other')
    const made = job(async (run) =>
      run.step('charge', () => tracer.startSpan('inside').end(), { nature: 'effectful', onUnknown }),
    )
    const { planId, at } = await beginAndDie(opened, made)
    const worker = await opened.work(made)
    await opened.harness.ended(planId)
    await worker.stop()
    await opened.telemetry.settled()
    const spans = opened.named('attempt charge')
    expect(spans.map(({ attributes }) => attributes['agentm.function.ended'])).toEqual(attempts)
    const [lost, again] = spans
    expect(lost?.attributes['error.type']).toBe('vanished')
    expect(lost?.status).toEqual({ code: 2, message: 'the process of its worker is gone' })
    const [step, ...more] = opened.named('run.step charge')
    expect(more).toEqual([])
    expect(step?.attributes['agentm.function.ended']).toBe(ended)
    for (const each of spans) expect(parentOf(each)).toBe(idOf(step))
    for (const each of [step, lost]) expect(ms(each?.startTime ?? [])).toBe(at)
    expect(parentOf(opened.named('inside')[0])).toBe(idOf(again))
    expect(new Set(opened.spans.map(idOf)).size).toBe(opened.spans.length)
    expect(new Set(opened.spans.map((span) => span.spanContext().traceId)).size).toBe(1)
  })

  it.each([
    ['retry', ['lost', 'done'], 'done'],
    ['done', ['lost'], 'done'],
    ['fail', ['lost'], 'failed'],
  ] as const)('is reported after a person said "%s"', async (answer, attempts, ended) => {
    const opened = open()
    const made = job(async (run) => run.step('charge', () => 'paid', { nature: 'effectful' }))
    const { planId, at } = await beginAndDie(opened, made)
    const worker = await opened.work(made)
    const asked = async () => (await opened.harness.waiting(planId)).find(({ ask }) => ask !== undefined)
    await vi.waitUntil(async () => (await asked()) !== undefined)
    const row = await asked()
    await opened.harness.answer(row?.stepId ?? '', { questionId: row?.ask?.questionId ?? '', value: answer })
    await opened.harness.ended(planId)
    await worker.stop()
    await opened.telemetry.settled()
    const spans = opened.named('attempt charge')
    expect(spans.map(({ attributes }) => attributes['agentm.function.ended'])).toEqual(attempts)
    const [step, ...more] = opened.named('run.step charge')
    expect(more).toEqual([])
    expect(step?.attributes['agentm.function.ended']).toBe(ended)
    for (const each of [step, spans[0]]) expect(ms(each?.startTime ?? [])).toBe(at)
  })
})
