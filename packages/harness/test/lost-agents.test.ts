import { createInMemoryStore } from '@agentm/conformance/logs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  agentKind,
  type Budget,
  harnessConcepts,
  openHarness,
  startWorker,
  type Step,
  type Worker,
} from '../src/index.ts'
import { defineTool, type Message, type ModelReply } from '@agentm/agent-loop'
import { calls, scriptedModel } from '../../../tools/model-in-process.mjs'
import { goesOn } from '../src/kinds/pure/goes-on.ts'
import { joinTurns, sharedStart } from '../src/kinds/pure/join-turns.ts'
import type { Turn } from '../src/turn.ts'
import { type Death, mortalStore } from './mortal-store.ts'

const owner = 'ada'
const retry = { maxFailures: 1, maxCrashes: 9, baseMs: 1, capMs: 1 }

/** What is said next follows from what was said before, so a reply that is asked for again is the same one. */
const replies: readonly (() => ModelReply)[] = [
  () => calls(['look', { at: 'the address book' }]),
  () => calls(['send', { to: 'bob' }], ['look', { at: 'the outbox' }]),
  () => calls(['send', { to: 'eve' }]),
  () => ({ text: 'Both are sent.', usage: { inputTokens: 10, outputTokens: 5 } }),
]

function world() {
  const [asked, sent]: [number[], string[]] = [[], []]
  const model = scriptedModel(({ messages }) => {
    const nth = saidBefore(messages)
    asked.push(nth)
    return replies[nth]?.() ?? { text: 'nothing is left to say' }
  })
  const send = defineTool({
    name: 'send',
    description: 'Sends a letter.',
    input: z.object({ to: z.string() }),
    nature: 'effectful',
    run: async ({ to }) => {
      sent.push(to)
      return `sent to ${to}`
    },
    verify: async ({ to }) => (sent.includes(to) ? { happened: true, text: `sent to ${to}` } : { happened: false }),
  })
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({ at: z.string() }),
    nature: 'pure',
    run: async ({ at }) => `nothing at ${at}`,
  })
  return { asked, sent, model: { ...model, costMicrosOf: () => 1 }, tools: [send, look] }
}

function saidBefore(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'assistant').length
}

const roomy = { maxTokens: 1_000_000, maxToolCalls: 100, maxCostMicros: 1_000_000 }

it.each([
  ['before', undefined],
  ['after', undefined],
  ['before', roomy],
  ['after', roomy],
] as const)(
  'an agent that dies at a write goes on from there: dying %s each of them, under the budget %o',
  async (when, budget) => {
    let [deaths, asks] = [0, 0]
    for (let at = 1; ; at++) {
      const { died, asked, ...end } = await dieAndGoOn({ at, when }, budget)
      expect(end, `died ${when} write ${at}`).toEqual({
        status: 'done',
        result: { text: 'Both are sent.', stop: 'text_only' },
        sent: ['bob', 'eve'],
        // Each reply once, however often it was asked for: what is told twice is counted once.
        tokens: 60,
        attempt: died ? end.attempt : 0,
        // What a lost run spent and did not tell is told by the one that follows, and set aside no longer.
        spent: [],
      })
      // The one reply that was on its way when it died may be asked for again, and no other.
      const again = asked.length - new Set(asked).size
      expect(again, `died ${when} write ${at}, asked for ${asked.join(', ')}`).toBeLessThanOrEqual(1)
      if (!died) break
      deaths += 1
      asks += again
    }
    expect(deaths).toBeGreaterThan(15)
    // Death right before a reply is kept is what costs one; four replies, so no more than four places of some twenty.
    expect(asks).toBeLessThanOrEqual(replies.length)
  },
)

async function dieAndGoOn(death: Death, budget: Budget | undefined) {
  const store = createInMemoryStore({ concepts: harnessConcepts })
  const { asked, sent, model, tools } = world()
  const harness = openHarness({ store, owner, actor: 'test' })
  const step = { key: 'a', title: 'Write to Bob and Eve', kind: 'agent', retry }
  const { planId, steps } = await harness.createPlan({ goal: 'letters', steps: [step], ...(budget && { budget }) })
  const mortal = mortalStore(store, death)
  const start = async (on: typeof store): Promise<Worker> => {
    const kind = agentKind({ log: on.log, modelOf: () => model, tools })
    return startWorker({ store: on, owners: [owner], kinds: [kind] })
  }
  const doomed = start(mortal.store)
  const isOver = async () => ['done', 'failed'].includes((await harness.plan(planId)).status ?? '')
  await until(async () => mortal.isDead() || isOver())
  if (mortal.isDead()) {
    for (const { id } of await store.work.sessions()) await store.work.closeSession(id)
    const heir = await start(store)
    await until(isOver)
    await heir.stop()
  } else await (await doomed).stop()
  const { status } = await harness.plan(planId)
  const { tokens } = await harness.usage(planId)
  const { nodes } = await store.log.scan({ owner, concepts: ['v1:harness:reservation'], status: 'spent' })
  const { result, attempt } = (await harness.step(steps['a'] ?? '')).payload
  await store.close()
  return {
    died: mortal.isDead(),
    asked,
    status,
    result,
    sent,
    tokens,
    attempt,
    spent: nodes.map(({ payload }) => payload),
  }
}

it('a step that failed by itself begins a new conversation', async () => {
  const store = createInMemoryStore({ concepts: harnessConcepts })
  const harness = openHarness({ store, owner, actor: 'test' })
  const { asked, model, tools } = world()
  let broken = true
  const once = scriptedModel(async (request) => {
    if (!broken || saidBefore(request.messages) < 2) return model.respond(request)
    broken = false
    throw Object.assign(new Error('overloaded'), { status: 503 })
  })
  const kind = agentKind({ log: store.log, modelOf: () => once, tools, modelRetry: { attempts: 1 } })
  const worker = await startWorker({ store, owners: [owner], kinds: [kind] })
  const { planId } = await harness.createPlan({
    goal: 'letters',
    steps: [{ key: 'a', title: 'Write', kind: 'agent', retry: { ...retry, maxFailures: 2 } }],
  })
  expect((await harness.ended(planId)).status).toBe('done')
  expect(asked).toEqual([0, 1, 0, 1, 2, 3])
  await worker.stop()
  await store.close()
})

describe('a conversation goes on', () => {
  const turn = { attempt: 1, failures: 0, crashes: 1, opening: 'o' } as Turn
  const step = { attempt: 1, failures: 0, crashes: 1 } as Step
  const lost = { cause: 'lease', message: 'gone' } as const
  it.each([
    ['after a question, in the same attempt', step, 'o', true],
    ['after its worker was lost', { ...step, attempt: 2, crashes: 2, failure: lost }, 'o', true],
    [
      'after its worker was stopped',
      { ...step, attempt: 2, failure: { ...lost, cause: 'shutdown' as const } },
      'o',
      true,
    ],
    ['not after it failed by itself', { ...step, attempt: 2, failures: 1, failure: lost }, 'o', false],
    [
      'not after its own deadline',
      { ...step, attempt: 2, failure: { ...lost, cause: 'timeout' as const } },
      'o',
      false,
    ],
    ['not once it was taken up by hand', { ...step, attempt: 2, crashes: 0, failure: lost }, 'o', false],
    ['not with another task', step, 'another', false],
  ])('%s', (_, now, opening, expected) => {
    expect(goesOn(turn, now, opening)).toBe(expected)
  })

  it('from the turns that were kept, also where the start of it was trimmed away', () => {
    const message = fc.nat(5).map((n): Message => ({ role: 'user', text: `${n}` }))
    const change = fc.record({ drop: fc.nat(3), add: fc.array(message, { maxLength: 3 }) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1 }), (changes) => {
        const turns: Turn[] = []
        let [kept, messages]: [readonly Message[], readonly Message[]] = [[], []]
        for (const { drop, add } of changes) {
          messages = [...messages.slice(0, 1), ...messages.slice(1 + drop), ...add]
          const keeps = sharedStart(kept, messages)
          const added = messages.slice(keeps).map((each) => ({ ...each }))
          turns.push({ ...turn, keeps, messages: added, state: { iterations: turns.length } })
          kept = messages
        }
        expect(joinTurns(turns)).toEqual({ messages, iterations: turns.length - 1 })
      }),
    )
  })
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 1))
}
