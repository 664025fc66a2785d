/** Whatever asks, an agent answers only what says that it may. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import { describe, expect, it } from 'vitest'
import { harnessConcepts, openHarness } from '../src/index.ts'

async function asking(question: { readonly mayAnswer?: 'anyone' }) {
  const context = { store: createInMemoryStore({ concepts: harnessConcepts }), owner: 'ada', actor: 'test' }
  const harness = openHarness(context)
  const { steps } = await harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'A' }] })
  const stepId = steps['a'] ?? ''
  await harness.startStep(stepId, 'session')
  await harness.askQuestion(stepId, { question: { id: 'q', text: 'Delete it?', ...question } })
  return { harness, stepId }
}

const byAgent = { questionId: 'q', value: 'yes', actor: 'agent:claude-code', by: 'agent' } as const

describe('an answer of an agent', () => {
  it('is refused for a question that does not say otherwise, and a person can still answer', async () => {
    const { harness, stepId } = await asking({})
    await expect(harness.answer(stepId, byAgent)).rejects.toMatchObject({ code: 'ANSWER_NEEDS_PERSON', id: stepId })
    expect((await harness.step(stepId)).payload.status).toBe('blocked')
    const { accepted, answer } = await harness.answer(stepId, { questionId: 'q', value: 'no', actor: 'ada' })
    expect([accepted, answer]).toEqual([true, { value: 'no', actor: 'ada', at: expect.any(Number) }])
  })

  it('counts where anyone may answer, and is recorded as the answer of an agent', async () => {
    const { harness, stepId } = await asking({ mayAnswer: 'anyone' })
    expect((await harness.waiting())[0]?.ask).toMatchObject({ mayAnswer: 'anyone' })
    const { answer } = await harness.answer(stepId, byAgent)
    expect(answer).toMatchObject({ value: 'yes', actor: 'agent:claude-code', by: 'agent' })
    expect((await harness.step(stepId)).payload.answers?.['q']).toMatchObject({ by: 'agent' })
  })
})
