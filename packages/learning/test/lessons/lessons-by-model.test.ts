import { describe, expect, it } from 'vitest'
import type { AskModel } from '../../src/distillers/ask-model.ts'
import type { LessonAnswer } from '../../src/lessons/pure/lesson-of-answer.ts'
import { lessonWorld } from './lesson-world.ts'

/** Answers always the same, and reports what it cost. */
function model(
  lessons: readonly LessonAnswer[],
  { onAsk, tokens = 700 }: { onAsk?: () => Promise<void>; tokens?: number } = {},
) {
  const asked: string[] = []
  const ask: AskModel = async (question) => {
    asked.push(question.messages.map(({ text }) => text).join('\n'))
    await onAsk?.()
    question.onUsage({ inputTokens: tokens - 100, outputTokens: 100 })
    return { ok: true, value: question.schema.parse({ lessons }) }
  }
  return { ask, asked }
}

const wrapped = 'The person wants errors to be wrapped with %w in this service.'
const turns = ['errors should be wrapped with %w in this service, as in the others', 'thanks']
const answer = (statement: string, more: Partial<LessonAnswer> = {}): LessonAnswer => ({
  kind: 'correction',
  statement,
  turns: [1],
  ...more,
})

describe('learning from agent sessions with a model', () => {
  it('asks nothing unless tokens are configured', async () => {
    const { tell, learn } = lessonWorld()
    const { ask, asked } = model([answer(wrapped)])
    await tell(turns)
    await learn({}, { ask })
    expect(asked).toEqual([])
  })

  it('learns what the rules do not find', async () => {
    const { tell, learn, statements } = lessonWorld()
    await tell(['I keep seeing bare errors. Wrap with %w so that the logs say where.'])
    const found = 'The person wants bare errors wrapped with %w so that the logs say where.'
    const { spent } = await learn({}, { ask: model([answer(found)]).ask, tokensPerDay: 100_000 })
    expect(await statements()).toEqual([found])
    expect(spent).toEqual({ questions: 1, tokens: 700, costMicros: 0 })
  })

  it('sets the cost of a question aside before it asks, and books what it was', async () => {
    const { tell, learn, cursor } = lessonWorld()
    const during: unknown[] = []
    const { ask } = model([], { onAsk: async () => void during.push((await cursor())?.['sessionTokens']) })
    await tell(turns)
    await learn({}, { ask, tokensPerDay: 100_000 })
    expect(during).toEqual([{ day: '2026-10-01', tokens: expect.any(Number) as number }])
    expect((during[0] as { tokens: number }).tokens).toBeGreaterThan(1500)
    expect((await cursor())?.['sessionTokens']).toEqual({ day: '2026-10-01', tokens: 700 })
    expect((await cursor())?.['spent']).toEqual({ questions: 1, tokens: 700, costMicros: 0 })
  })

  it('asks no more when the tokens of the day are used up, and again the next day', async () => {
    const { tell, tick, learn } = lessonWorld()
    const { ask, asked } = model([], { tokens: 5000 })
    for (const session of ['s1', 's2', 's3']) await tell(turns, { session })
    expect(await learn({}, { ask, tokensPerDay: 7000 })).toMatchObject({
      unasked: 'the tokens of this day are used up',
    })
    expect(asked).toHaveLength(1)
    tick(86_400_000)
    await tell(['hello'], { session: 's4' })
    await learn({}, { ask, tokensPerDay: 7000 })
    expect(asked).toHaveLength(2)
  })

  it('keeps what was set aside if the model dies, and what the rules found', async () => {
    const { tell, learn, cursor, statements } = lessonWorld()
    await tell(['Never commit generated files.'])
    const report = await learn({}, { ask: async () => Promise.reject(new Error('no route')), tokensPerDay: 100_000 })
    expect(report.unasked).toBe('the model did not answer: no route')
    expect(await statements()).toHaveLength(1)
    expect(Number(Reflect.get((await cursor())?.['sessionTokens'] as object, 'tokens'))).toBeGreaterThan(1500)
  })

  it('shows the model what the person typed, and nothing of what tools printed', async () => {
    const { tell, learn } = lessonWorld()
    const { ask, asked } = model([])
    await tell([{ asked: 'fix it\n> quoted text', ran: ['make => 1 | a line of output'] }])
    await learn({}, { ask, tokensPerDay: 100_000 })
    expect(asked[0]).toContain('fix it')
    expect(asked[0]).not.toMatch(/quoted text|a line of output/)
  })

  it.each([
    ['has a number that nobody said', answer('The person wants errors wrapped with %w on port 8443 in this service.')],
    ['says something else', answer('The person wants every dependency vendored and audited.')],
    ['is an order', answer('Wrap errors with %w in this service.')],
    ['speaks to its reader', answer('The agent must wrap errors with %w in this service.')],
    ['is a permission', answer('The person approved errors wrapped with %w in this service.')],
    ['names no turn', answer(wrapped, { turns: [9] })],
    ['names a command that nobody ran', answer('The command `make wrapped` works here.', { kind: 'command' })],
  ])('refuses an answer that %s', async (_, each) => {
    const { tell, learn, statements } = lessonWorld()
    await tell(['please wrap the errors with %w as in the other service, see the store'])
    await learn({}, { ask: model([each]).ask, tokensPerDay: 100_000 })
    expect(await statements()).toEqual([])
  })
})
