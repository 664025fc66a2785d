import { describe, expect, it } from 'vitest'
import { fixtureOf, readRecording, replayPlan } from '../../src/index.ts'
import { scoreFixture } from '../../src/eval/pure/score-fixture.ts'
import { type SampleLog, sampleLog } from '../trace/sample-log.ts'

const step = (id: string) => `v1:harness:step:${id}`
const options = { planId: 'p', owner: 'ann' }

async function runs(log: SampleLog, id: string, end: string = 'done', more: Readonly<Record<string, unknown>> = {}) {
  await log.to(id, 'running')
  await log.observe('p', id, 'tool_result', { toolCalls: 1, tokens: 10 })
  log.pass(5)
  await log.to(id, end, more)
}

async function endPlan(log: SampleLog, status: string): Promise<void> {
  await log.write({ of: 'plan', id: 'p', payload: { status }, mutation: 'x', update: true })
}

describe('a replay', () => {
  it('takes the recorded way of a chain, and says that there is only one', async () => {
    const log = sampleLog()
    await log.newPlan('p', { a: [], b: ['a'] })
    await log.to('a', 'ready')
    await runs(log, 'a')
    await log.to('b', 'ready')
    await runs(log, 'b')
    await endPlan(log, 'done')
    expect(await replayPlan(log.store.log, options)).toEqual({
      planId: 'v1:harness:plan:p',
      matches: true,
      deterministic: true,
      reasons: [],
      waves: [
        { wave: 0, recorded: [step('a')], replayed: [step('a')], matches: true },
        { wave: 1, recorded: [step('b')], replayed: [step('b')], matches: true },
      ],
      status: { recorded: 'done', replayed: 'done' },
      disorders: [],
    })
  })

  it('of a failed plan fails as it did, after the same retries', async () => {
    const log = sampleLog()
    await log.newPlan('p', { a: [], b: ['a'] })
    await log.to('a', 'ready')
    for (let attempt = 1; attempt <= 2; attempt++) {
      const failure = { cause: 'step', message: 'busy', retryable: true }
      await runs(log, 'a', 'failed', { failure, failures: attempt, retryAt: 1 })
      await log.to('a', 'ready', { attempt }, 'retryHarnessStep')
    }
    await runs(log, 'a', 'failed', { failure: { cause: 'step', message: 'busy', retryable: true }, failures: 3 })
    await endPlan(log, 'failed')
    const replay = await replayPlan(log.store.log, options)
    expect(replay).toMatchObject({ matches: true, deterministic: true, status: { replayed: 'failed' } })
    expect(replay?.waves[0]?.replayed).toEqual([step('a'), step('a'), step('a')])
  })

  it('does not mind the order within a wave, and says so; it does mind which steps', async () => {
    const log = sampleLog()
    await log.newPlan('p', { root: [], a: ['root'], b: ['root'] })
    await log.to('root', 'ready')
    await runs(log, 'root')
    for (const id of ['b', 'a']) {
      await log.to(id, 'ready')
      await runs(log, id)
    }
    await endPlan(log, 'done')
    expect(await replayPlan(log.store.log, options)).toMatchObject({
      matches: true,
      deterministic: false,
      reasons: ['wave 2 has several steps, which may start in any order'],
    })
  })

  it('finds a step that started before what it depends on, whatever the waves say', async () => {
    const log = sampleLog()
    await log.newPlan('p', { a: [], b: ['a'] })
    await log.to('b', 'ready')
    await runs(log, 'b')
    await log.to('a', 'ready')
    await runs(log, 'a')
    await endPlan(log, 'done')
    expect(await replayPlan(log.store.log, options)).toMatchObject({
      matches: false,
      disorders: [`${step('b')} started before ${step('a')} was done`],
    })
  })

  it('finds a step that never ran, and an end that should not have come', async () => {
    const log = sampleLog()
    await log.newPlan('p', { a: [], b: [] })
    await log.to('a', 'ready')
    await runs(log, 'a')
    await endPlan(log, 'failed')
    expect(await replayPlan(log.store.log, options)).toMatchObject({
      matches: false,
      status: { recorded: 'failed', replayed: 'done' },
      waves: [{ matches: false }],
    })
  })

  it('goes on over a lost worker, a question, and a retry by hand', async () => {
    const log = sampleLog()
    await log.newPlan('p', { a: [], b: ['a'] })
    await log.to('a', 'ready')
    await runs(log, 'a', 'failed', { failure: { cause: 'lease', message: 'gone' }, crashes: 1 })
    await log.to('a', 'ready', { attempt: 1 }, 'retryHarnessStep')
    const question = { id: 'q', text: 'May I?' }
    await runs(log, 'a', 'blocked', { waitsFor: { for: 'answer', question } })
    await log.to('a', 'ready', {}, 'answerHarnessStep')
    await runs(log, 'a')
    await log.to('b', 'ready')
    await runs(log, 'b', 'failed', { failure: { cause: 'step', message: 'no' }, failures: 1 })
    await log.to('b', 'ready', { attempt: 1 }, 'retryHarnessStep')
    await runs(log, 'b')
    await endPlan(log, 'done')
    expect(await replayPlan(log.store.log, options)).toMatchObject({
      matches: true,
      deterministic: false,
      reasons: ['a question was answered', 'a worker was lost'],
      status: { replayed: 'done' },
    })
  })

  it('is not there for an absent plan, nor for somebody else’s', async () => {
    const log = sampleLog()
    await log.newPlan('p', { a: [] })
    expect(await replayPlan(log.store.log, { planId: 'p', owner: 'bob' })).toBe(undefined)
    expect(await replayPlan(log.store.log, { planId: 'q', owner: 'ann' })).toBe(undefined)
  })
})

describe('a recording', () => {
  it('becomes a fixture that holds the harness to it', async () => {
    const log = sampleLog()
    await log.newPlan('p', { a: [], b: ['a'] }, { budget: { maxSteps: 5 } })
    await log.to('a', 'ready')
    await runs(log, 'a')
    await log.to('b', 'ready')
    await runs(log, 'b', 'failed', { failure: { cause: 'step', message: 'no' }, failures: 1 })
    await endPlan(log, 'failed')
    const recording = await readRecording(log.store.log, options)
    const fixture = recording === undefined ? undefined : fixtureOf(recording, 'a bad day')
    expect(fixture).toMatchObject({ name: 'a bad day', expect: { success: false, dispatches: 2 } })
    const kept = JSON.parse(JSON.stringify(fixture)) as NonNullable<typeof fixture>
    expect(scoreFixture(kept)).toMatchObject({ passed: true, toolCalls: 2, tokens: 20 })
  })
})
