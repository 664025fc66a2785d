import { expect, it } from 'vitest'
import { z } from 'zod'
import { createEffectLog, defineTool, type Message, runInnerLoop, type Tool } from '../../src/index.ts'

/** One reply with two equal calls, written differently. */
async function twice({ nature, repeatable }: { readonly nature: Tool['nature']; readonly repeatable?: boolean }) {
  const keys: string[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ cents: z.number(), to: z.string() }),
    nature,
    ...(repeatable !== undefined && { repeatable }),
    run: async (_, { key }) => `paid ${keys.push(key)}`,
  })
  const replies = [
    {
      calls: [
        { id: 'a', tool: 'pay', args: '{"cents":5,"to":"Ada"}' },
        { id: 'b', tool: 'pay', args: '{ "to": "Ada", "cents": 5.0 }' },
      ],
    },
  ].values()
  const end = await runInnerLoop({
    model: { respond: async () => replies.next().value ?? { text: 'Done.' } },
    tools: [pay],
    messages: [{ role: 'user', text: 'Pay.' }],
    work: { plan: 'p', step: 's', effects: createEffectLog() },
  })
  if (end.ended !== 'stopped') throw new TypeError('it asks')
  const answers = end.messages.filter((message): message is Message & { role: 'tool' } => message.role === 'tool')
  return { keys, answers: answers.map(({ callId, text }) => [callId, text]), toolCalls: end.spent.toolCalls }
}

it('makes the same effectful call of one reply once, and says so in the second answer', async () => {
  for (const nature of ['effectful', 'idempotent'] as const) {
    const { keys, answers, toolCalls } = await twice({ nature })
    expect(keys).toHaveLength(1)
    expect(toolCalls).toBe(1)
    expect(answers).toEqual([
      ['a', 'paid 1'],
      ['b', expect.stringMatching(/^paid 1\n\n\[This reply asks for the same call twice\. It was made once/)],
    ])
  }
})

it('makes both where the tool says that a repetition is meant, each under its own key', async () => {
  const { keys, answers } = await twice({ nature: 'effectful', repeatable: true })
  expect(new Set(keys).size).toBe(2)
  expect(answers).toEqual([
    ['a', 'paid 1'],
    ['b', 'paid 2'],
  ])
})
