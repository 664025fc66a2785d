import { afterEach, expect, it } from 'vitest'
import { type Setup, setup, steps } from '../../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

let broken = true
function world(): Setup {
  broken = true
  const made = setup({
    a: () => (broken ? { end: 'failed', failure: { message: 'no such host', retryable: false } } : { end: 'done' }),
  })
  open.push(made)
  return made
}

it('lists steps that failed permanently, and sends those of an ended plan again in one new plan, once', async () => {
  const made = world()
  await made.worker()
  const limit = { key: 'x', atOnce: 2 }
  const { planId } = await made.harness.createPlan({ goal: 'g', steps: steps({ a: [], b: ['a'], c: [] }, { limit }) })
  await made.ended(planId)
  const [letter, ...others] = await made.harness.deadLetters()
  expect(others).toEqual([])
  expect(letter).toMatchObject({
    planId,
    planStatus: 'failed',
    title: 'a',
    why: 'failed',
    errorMessage: 'no such host',
  })
  broken = false
  const stepId = letter?.stepId ?? ''
  const sent = await Promise.all([1, 2, 3].map(() => made.harness.sendAgain(stepId)))
  expect(sent.filter(({ created }) => created)).toHaveLength(1)
  expect(new Set(sent.map((each) => each.planId)).size).toBe(1)
  const [{ planId: next, stepId: again } = { planId: '', stepId: '' }] = sent
  expect((await made.ended(next)).status).toBe('done')
  expect((await made.harness.step(again)).payload).toMatchObject({ title: 'a', limit, status: 'done' })
  expect((await made.harness.step(again)).payload.idempotencyKey).toBe(
    (await made.harness.step(stepId)).payload.idempotencyKey,
  )
  expect(made.ran.toSorted()).toEqual(['a', 'a', 'b', 'c'])
  expect(await made.harness.deadLetters()).toEqual([])
})

it('sends a step of an open plan again in its plan, and lists nothing that ended with its plan', async () => {
  const made = world()
  const { planId } = await made.harness.createPlan({
    goal: 'g',
    steps: [...steps({ a: [] }), { key: 'b', title: 'b', kind: 'nobody' }],
  })
  await made.worker()
  await expect.poll(async () => (await made.harness.deadLetters(planId)).length).toBe(1)
  const [letter] = await made.harness.deadLetters()
  broken = false
  expect(await made.harness.sendAgain(letter?.stepId ?? '', { reason: 'the host is back' })).toMatchObject({
    planId,
    created: true,
  })
  await expect.poll(async () => (await made.harness.step(letter?.stepId ?? '')).payload.status).toBe('done')
  await made.harness.cancelPlan(planId)
  expect(await made.harness.deadLetters()).toEqual([])
})
