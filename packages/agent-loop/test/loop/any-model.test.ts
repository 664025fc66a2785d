import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  createBudget,
  createEffectLog,
  defineTool,
  type LoopObservation,
  type ModelReply,
  runInnerLoop,
  ToolError,
  type TokenUsage,
} from '../../src/index.ts'
import { stopReasons } from '../../src/loop/pure/stop.ts'
import { patientRuntime, protocolProblem, scriptedModel } from '../../../../tools/model-in-process.mjs'

/** Whatever a model may say: calls of anything, with any arguments, under any ids, with or without text, or a fault. */
const call = fc.record({
  id: fc.constantFrom('', 'a', 'b', 'c'),
  tool: fc.constantFrom('read', 'charge', 'poll', 'nope', 'respondToUser', ' charge '),
  args: fc.constantFrom('', '{}', '{"n":1}', '{"n":2}', '{ "n": 1.0 }', 'n=1', '{"text":"Done."}', '[]'),
})
const reply: fc.Arbitrary<ModelReply | Error> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ calls: fc.array(call, { minLength: 1, maxLength: 14 }) }) },
  { weight: 1, arbitrary: fc.record({ text: fc.string(), calls: fc.array(call, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.constantFrom(new Error('overloaded'), Object.assign(new Error('x'), { status: 401 })) },
)
const fault = fc.constantFrom('none', 'refused', 'lost', 'failed')
const world = fc.record({
  replies: fc.array(reply, { minLength: 1, maxLength: 12 }),
  faults: fc.array(fault, { minLength: 1, maxLength: 12 }),
  toolCalls: fc.nat(20),
  maxTokens: fc.nat(400),
  answer: fc.constantFrom('happened', 'did_not_happen', 'stop', 'maybe'),
})

const costMicrosOf = ({ inputTokens, outputTokens }: TokenUsage): number => 2 * (inputTokens + outputTokens)

it('ends by a name, answers every call, tells what it spent, and repeats no effect, whatever the model says', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ replies, faults, toolCalls, maxTokens, answer }) => {
      const observed: LoopObservation[] = []
      const happened: string[] = []
      let turn = 0
      const tool = (name: string, nature: 'pure' | 'effectful') =>
        defineTool({
          name,
          description: name,
          input: z.object({ n: z.number().optional() }),
          nature,
          polling: name === 'poll',
          retry: { baseMs: 0 },
          run: async ({ n }, { key }) => {
            const kind = faults[turn++ % faults.length]
            if (kind === 'refused') throw new ToolError('validation', 'no')
            if (kind === 'failed') return { text: 'it did not work', failed: true }
            if (nature === 'effectful') happened.push(key)
            if (kind === 'lost') throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
            return `${name} ${n}`
          },
        })
      const model = { ...scriptedModel(...replies), costMicrosOf }
      const end = await runInnerLoop({
        model,
        tools: [tool('read', 'pure'), tool('poll', 'pure'), tool('charge', 'effectful')],
        messages: [{ role: 'user', text: 'Go.' }],
        work: { plan: 'p', step: 's', effects: createEffectLog() },
        // Whoever says that it did not happen speaks of a call that did; what follows from that is theirs.
        ask: async () => answer,
        observe: (observation) => {
          observed.push(observation)
        },
        budget: createBudget({ toolCalls }),
        window: { maxTokens },
        limits: { iterations: 30 },
        runtime: patientRuntime(),
      })
      if (end.ended !== 'stopped') throw new TypeError('every question was answered')
      expect(stopReasons).toContain(end.stop.reason)
      expect(end.stop).not.toMatchObject({ error: { type: 'validation' } })
      expect(protocolProblem(end.messages)).toBe(undefined)
      expect(observed.at(-1)?.data['reason']).toBe(end.stop.reason)
      const sum = (name: string) => observed.reduce((total, { data }) => total + (Number(data[name]) || 0), 0)
      expect(end.spent).toEqual({
        tokens: sum('tokens'),
        toolCalls: sum('toolCalls'),
        costMicros: sum('costMicros'),
      })
      expect(end.spent.costMicros).toBe(2 * end.spent.tokens)
      expect(toolCalls === 0 || end.spent.toolCalls <= toolCalls).toBe(true)
      expect(answer === 'did_not_happen' || new Set(happened).size === happened.length).toBe(true)
    }),
    { numRuns: 200 },
  )
})
