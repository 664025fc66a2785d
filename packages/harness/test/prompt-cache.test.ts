/** What an agent sends from turn to turn, to a server that keeps the beginnings of what it was sent, as providers do. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { defineTool, systemRuntime } from '@agentm/agent-loop'
import { endpointModel } from '@agentm/agent-loop/models'
import { todoTools } from '@agentm/agent-loop/tools'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { agentKind, stepTodo } from '../src/index.ts'
import { setup } from '../../../tools/harness-in-process.mjs'

interface Asked {
  readonly raw: string
  readonly tools: string
  /** Up to the end of the last message. */
  readonly messages: string
}

/** A token is four characters. What it was asked before is cached, as long as it is the beginning of what it is asked now. */
async function cachingServer(callsOf: (turn: number) => readonly (readonly [string, unknown])[] | 'hang') {
  const asked: Asked[] = []
  const seen: string[] = []
  const server = createServer((request, response) => {
    let raw = ''
    request.setEncoding('utf8').on('data', (piece: string) => (raw += piece))
    request.on('end', () => {
      const body = JSON.parse(raw) as { readonly messages: unknown; readonly tools: unknown }
      const [tools, messages] = [JSON.stringify(body.tools), JSON.stringify(body.messages).slice(0, -1)]
      asked.push({ raw, tools, messages })
      const calls = callsOf(asked.length)
      if (calls === 'hang') return
      const prompt = tools + messages
      const cached = Math.max(0, ...seen.map((before) => sharedStart(before, prompt)))
      seen.push(prompt)
      const tool_calls = calls.map(([name, args], i) => ({
        id: `c${asked.length}-${i}`,
        function: { name, arguments: JSON.stringify(args) },
      }))
      const usage = {
        prompt_tokens: Math.ceil(prompt.length / 4),
        completion_tokens: 5,
        prompt_tokens_details: {
          cached_tokens: Math.floor(cached / 4),
          cache_write_tokens: Math.ceil(prompt.length / 4) - Math.floor(cached / 4),
        },
      }
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ choices: [{ message: { content: null, tool_calls }, finish_reason: 'tool_calls' }], usage }),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function sharedStart(a: string, b: string): number {
  let same = 0
  while (same < a.length && a[same] === b[same]) same += 1
  return same
}

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.object({ at: z.number() }),
  nature: 'pure',
  run: async ({ at }) => `nothing at ${at}: ${'.'.repeat(400)}`,
})

it('sends what it sent before, byte for byte, and then what is new: so a cache is hit, also by another worker', async () => {
  let isHeld = true
  const server = await cachingServer((turn) => {
    if (turn === 4 && isHeld) return 'hang'
    if (turn > 8) return [['respondToUser', { text: 'Nothing.' }]]
    return turn % 2 === 0
      ? [
          ['look', { at: turn }],
          ['look', { at: -turn }],
        ]
      : [['todo_write', { items: [{ text: `${turn}` }] }]]
  })
  const made = setup()
  onTestFinished(() => made.close())
  const { harness, store, ended, worker } = made
  const price = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 }
  const work = () =>
    worker({
      kinds: [
        agentKind({
          log: store.log,
          modelOf: () =>
            endpointModel({ url: server.url, model: 'tiny', price, runtime: systemRuntime, cacheKey: true }),
          tools: [look],
          ownToolsOf: async (run) => todoTools(stepTodo(run)),
        }),
      ],
    })
  const first = await work()
  const { planId } = await harness.createPlan({
    goal: 'g',
    steps: [{ key: 'a', title: 'Look around', kind: 'agent', input: { zeta: 1, alpha: { y: 2, b: [3] } } }],
  })
  await expect.poll(() => server.asked.length).toBe(4)
  isHeld = false
  await first.stop({ graceMs: 0 })
  await work()
  expect((await ended(planId)).status).toBe('done')
  const { asked } = server
  expect(asked.length).toBeGreaterThan(8)
  for (const [i, { raw, tools, messages }] of asked.entries()) {
    const before = asked[i - 1]
    if (before === undefined) continue
    expect(tools, `the tools of turn ${i + 1}`).toBe(before.tools)
    expect(messages.startsWith(before.messages), `turn ${i + 1} begins as the one before it`).toBe(true)
    // Not only in meaning: the bytes on the wire are the same up to the end of the messages of the turn before.
    const end = before.raw.indexOf(before.messages) + before.messages.length
    expect(raw.slice(0, end)).toBe(before.raw.slice(0, end))
  }
  const keys = new Set(asked.map(({ raw }) => /"prompt_cache_key":"([^"]+)"/.exec(raw)?.[1]))
  expect([keys.size, keys.has(undefined)]).toEqual([1, false])
  // Each turn but the one that was lost is booked: new input at the price of writing, the rest at that of reading.
  const received = asked.filter((_, i) => i !== 3)
  const costs = received.map(({ tools, messages }, i) => {
    const before = received[i - 1]
    const total = Math.ceil((tools + messages).length / 4)
    const cached = before === undefined ? 0 : Math.floor((before.tools + before.messages).length / 4)
    return Math.ceil(Number((cached * 0.3 + (total - cached) * 3.75 + 5 * 15).toFixed(6)))
  })
  expect((await harness.usage(planId)).costMicros).toBe(costs.reduce((sum, cost) => sum + cost, 0))
})
