import { type Checkpoint, createEffectLog, defineTool, type LoopObservation, runInnerLoop } from '@agentm/agent-loop'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { body, secretSamples } from '../../packages/nodes/test/secret-samples.ts'

/** A model that calls each tool, repeats what it was told, and answers with it. */
async function loopThatReads(secret: string) {
  const seen: string[] = []
  const stored: (LoopObservation | Checkpoint)[] = []
  const effects = createEffectLog()
  const written: string[] = []
  const says = async () => `before ${secret} after`
  const input = z.object({ text: z.string().optional() })
  const tools = [
    defineTool({ name: 'reads', description: '', input, nature: 'pure', run: says }),
    defineTool({ name: 'acts', description: '', input, nature: 'effectful', run: says }),
    defineTool({
      name: 'fails',
      description: '',
      input,
      nature: 'pure',
      retry: { attempts: 1 },
      run: async () => {
        throw new Error(await says())
      },
    }),
    defineTool({
      name: 'refuses',
      description: '',
      input,
      nature: 'effectful',
      run: async () => ({ text: await says(), failed: true }),
    }),
  ]
  const names = tools.map(({ name }) => name).values()
  await runInnerLoop({
    model: {
      async respond({ messages }) {
        const last = messages.at(-1)?.text ?? ''
        seen.push(last)
        const name = names.next().value
        if (name === undefined) return { text: `It said ${secret}` }
        return { text: `It said ${secret}`, calls: [{ id: name, tool: name, args: JSON.stringify({ text: secret }) }] }
      },
    },
    tools,
    messages: [{ role: 'user', text: 'Read.' }],
    work: {
      plan: 'p',
      step: 's',
      effects: {
        ...effects,
        async succeed(call, text) {
          written.push(text, call.args)
          await effects.succeed(call, text)
        },
        async fail(call, message) {
          written.push(message, call.args)
          await effects.fail(call, message)
        },
      },
    },
    observe: (observation) => void stored.push(observation),
    save: async (checkpoint) => void stored.push(checkpoint),
  })
  return { seen, stored: JSON.stringify([stored, written]) }
}

it('covers forty formats', () => {
  expect(secretSamples.length).toBeGreaterThanOrEqual(40)
})

it.each(secretSamples)(
  'a %s that a tool reads is masked for the model, and where the loop stores it',
  async (_, secret) => {
    const { seen, stored } = await loopThatReads(secret)
    expect(seen).toHaveLength(5)
    for (const answer of seen.slice(1)) expect(answer).toContain('[redacted: ')
    expect(seen.join('\n')).not.toContain(body(12))
    expect(stored).toContain('[redacted: ')
    expect(stored).not.toContain(body(12))
    expect(stored).not.toContain(secret)
  },
)
