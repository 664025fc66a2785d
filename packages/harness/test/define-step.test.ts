import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineStep } from '../src/index.ts'
import { type Setup, setup } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const greet = defineStep(
  'greet',
  { input: z.object({ name: z.string().min(1) }), output: z.object({ text: z.string() }) },
  ({ name }) => ({ text: `Hello, ${name}` }),
)

function opened(): Setup {
  const made = setup()
  open.push(made)
  return made
}

describe('defineStep', () => {
  it('runs the function with what the plan says, and answers what it returned, typed', async () => {
    const { harness, worker, ended } = opened()
    const { planId, steps } = await harness.createPlan({
      goal: 'be polite',
      steps: [greet.step({ key: 'ada', title: 'Greet Ada', input: { name: 'Ada' } })],
    })
    await worker({ kinds: [greet] })
    expect((await ended(planId)).status).toBe('done')
    const result = await greet.resultOf(await harness.step(steps['ada'] ?? ''))
    expectTypeOf(result).toEqualTypeOf<{ text: string } | undefined>()
    expect(result).toEqual({ text: 'Hello, Ada' })
  })

  it('hands results on to the steps that depend on it', async () => {
    const { harness, worker, ended } = opened()
    const shout = defineStep(
      'shout',
      { input: z.object({}), output: z.object({ text: z.string() }) },
      async (_, run) => {
        const [before] = await run.dependencies()
        const greeting = before === undefined ? undefined : await greet.resultOf(before)
        return { text: (greeting?.text ?? '').toUpperCase() }
      },
    )
    const { planId, steps } = await harness.createPlan({
      goal: 'be loud',
      steps: [
        greet.step({ key: 'a', title: 'Greet', input: { name: 'Ada' } }),
        shout.step({ key: 'b', title: 'Shout', dependsOn: ['a'], input: {} }),
      ],
    })
    await worker({ kinds: [greet, shout] })
    await ended(planId)
    expect(await shout.resultOf(await harness.step(steps['b'] ?? ''))).toEqual({ text: 'HELLO, ADA' })
  })

  it('fails a step at once whose input does not fit, and says where', async () => {
    const { harness, worker, ended } = opened()
    const { planId, steps } = await harness.createPlan({
      goal: 'g',
      steps: [{ key: 'a', title: 'A', kind: 'greet', input: { name: '' } }],
    })
    await worker({ kinds: [greet] })
    expect((await ended(planId)).status).toBe('failed')
    const { payload } = await harness.step(steps['a'] ?? '')
    expect(payload.errorMessage).toContain('the input of a step of kind greet does not fit: name: ')
    expect(payload.attempt).toBe(0)
    expect(await greet.resultOf({ payload })).toBeUndefined()
  })

  it('fails a step at once whose function answers something else than it says', async () => {
    const { harness, worker, ended } = opened()
    const wrong = defineStep('wrong', { input: z.object({}), output: z.object({ text: z.string() }) }, () =>
      JSON.parse('{"text": 5}'),
    )
    const { planId, steps } = await harness.createPlan({
      goal: 'g',
      steps: [wrong.step({ key: 'a', title: 'A', input: {} })],
    })
    await worker({ kinds: [wrong] })
    expect((await ended(planId)).status).toBe('failed')
    expect((await harness.step(steps['a'] ?? '')).payload.errorMessage).toContain(
      'what a step of kind wrong answered does not fit: text: ',
    )
  })
})
