import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import type { StepOutcome } from '../src/index.ts'
import { type Setup, setup, steps } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

describe('a step kind with a mistake in its code', () => {
  it.each<readonly [string, unknown, string]>([
    ['nothing', undefined, 'it returned undefined'],
    ['null', null, 'it returned null'],
    ['a text', 'done', 'it returned "done"'],
    ['an object without an end', {}, 'its end is undefined'],
    ['an end of its own', { end: 'finished' }, 'its end is "finished"'],
    ['a result that is no object', { end: 'done', result: 5 }, 'its result is 5'],
    ['a failure that says nothing', { end: 'failed' }, 'its failure has no message'],
    ['a question without a text', { end: 'asks', question: { id: 'q' } }, 'its question needs an id and a text'],
    ['a wait for nothing', { end: 'waits' }, 'its waitsFor names neither'],
  ])('fails its step at once, and says what it returned: %s', async (_, returned, says) => {
    const { harness, worker, ended, errors, runs } = returning(returned)
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    await worker({ kinds: [runs.kind] })
    expect((await ended(planId)).status).toBe('failed')
    const { payload } = await harness.step(ids['a'] ?? '')
    expect(payload.errorMessage).toContain('run() of the step kind "scripted" must return')
    expect(payload.errorMessage).toContain(says)
    expect(payload.failure).toMatchObject({ code: 'BAD_OUTCOME', retryable: false })
    expect(payload).not.toHaveProperty('crashes')
    expect([runs.count, errors.length, errors[0] instanceof TypeError]).toEqual([1, 1, true])
  })

  it('fails its step at once where it cannot say what running twice would do', async () => {
    const { harness, worker, ended, errors } = returning({ end: 'done' })
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    await worker({ kinds: [{ name: 'scripted', natureOf, run: async () => ({ end: 'done' }) }] })
    expect((await ended(planId)).status).toBe('failed')
    expect((await harness.step(ids['a'] ?? '')).payload).toMatchObject({ errorMessage: 'no nature' })
    expect(errors).toEqual([])
  })

  it('fails its step with its own words where what it adds to them cannot be stored', async () => {
    const observation = { kind: 'nonsense', content: 1 }
    const failure = { message: 'the disk is full', retryable: false, retryAfterMs: Number.NaN, code: 7 }
    const { harness, worker, ended, runs } = returning({ end: 'failed', failure, observation })
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    await worker({ kinds: [runs.kind] })
    expect((await ended(planId)).status).toBe('failed')
    expect((await harness.step(ids['a'] ?? '')).payload.failure).toEqual({
      cause: 'step',
      message: 'the disk is full',
      retryable: false,
    })
    expect(runs.count).toBe(1)
  })

  it('is printed on standard error if the worker has no onError', async () => {
    const program = `
      import { createInMemoryStore } from '@agentm/conformance/logs'
      import { harnessConcepts, openHarness, startWorker } from '@agentm/harness'
      const store = createInMemoryStore({ concepts: harnessConcepts })
      const harness = openHarness({ store, owner: 'ada', actor: 'test' })
      const { planId } = await harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'a', kind: 'mine' }] })
      const worker = await startWorker({ store, owners: ['ada'], kinds: [{ name: 'mine', async run() {} }] })
      console.log((await harness.ended(planId)).status)
      await worker.stop()
      await store.close()`
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
    })
    expect(stdout).toBe('failed\n')
    expect(stderr).toContain('TypeError: run() of the step kind "mine" must return')
    expect(stderr).toContain('it returned undefined')
  })
})

function natureOf(): never {
  throw new TypeError('no nature')
}

function returning(value: unknown) {
  const made = setup()
  open.push(made)
  const runs = {
    count: 0,
    kind: {
      name: 'scripted',
      async run() {
        runs.count += 1
        return value as StepOutcome
      },
    },
  }
  return { ...made, runs }
}
