/** A model that says "too many requests, come back in an hour": real workers, and a real server on loopback. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { PlanWorld } from './plan-world.ts'

type Line = Parameters<Extract<Parameters<typeof startScriptedServer>[0], (...given: never) => unknown>>[0]
type Answer = (body: Line, n: number) => Readonly<Record<string, unknown>>

async function worldWith(answer: Answer) {
  const world = await PlanWorld.make({ kinds: 'agent,command,http' })
  const server = await startScriptedServer(answer)
  onTestFinished(() => server.close())
  await world.cli.agentm(['config', 'set', 'models.url', server.url])
  await world.cli.agentm(['config', 'set', 'models.model', 'scripted'])
  return { world, server }
}

const inAnHour = () => ({ status: 429, error: 'slow down', headers: { 'retry-after': '3600' } })
const asksFor = (text: string) => `goal: ${text}\nsteps:\n  - { key: ask, kind: agent, title: Ask the model }\n`

describe('a model that asks to be left alone for an hour', { timeout: 120_000 }, () => {
  it('is left alone: its step holds no slot, no worker asks early, and status and trace say until when', async () => {
    const { world, server } = await worldWith(inAnHour)
    const planId = await world.plan(
      `${asksFor('g')}  - { key: other, kind: command, input: { command: sh, args: [-c, 'echo here >> told'] } }\n`,
    )
    // With one slot, the other step runs only if the first one gave it back.
    const worker = world.cli.start(['worker', '--slots', '1'])
    await world.untilTold('here')
    const { waiting, steps } = await world.until(planId, (state) =>
      state.waiting.some(({ status }) => status === 'blocked'),
    )
    expect(steps).toEqual({ done: 1, blocked: 1 })
    const [row] = waiting as readonly { readonly until?: number }[]
    expect((row?.until ?? 0) - Date.now()).toBeGreaterThan(3_500_000)
    expect((row?.until ?? 0) - Date.now()).toBeLessThanOrEqual(3_600_000)
    const said =
      /blocked +Ask the model: waits for a rate limit to pass: scripted at \S+ answered 429: slow down, for .*, until 20/
    expect((await world.cli.agentm(['status', planId])).out).toMatch(said)
    expect((await world.cli.agentm(['trace', planId])).out).toMatch(
      /Ask the model +waiting: until 20\S+Z: scripted at \S+ answered 429/,
    )
    await worker.kill('SIGKILL')
    // Whoever comes next reads in the log how long to wait.
    await world.cli.agentm(['worker', '--once'])
    expect(server.requests).toHaveLength(1)
    expect((await world.state(planId)).steps).toEqual({ done: 1, blocked: 1 })
  })

  it('costs the step none of its tries and the plan none of its starts, however often it says so', async () => {
    const { world, server } = await worldWith((_, n) => (n <= 2 ? inAnHour() : { text: 'Here I am.' }))
    const planId = await world.plan(`budget: { maxSteps: 1 }\n${asksFor('g')}`)
    for (let n = 1; n <= 2; n++) {
      await world.cli.agentm(['worker', '--once'])
      expect(server.requests).toHaveLength(n)
      const { waiting } = await world.state(planId)
      expect(waiting).toMatchObject([{ status: 'blocked', attempt: 0 }])
      // A person who knows better need not wait.
      const { out } = await world.cli.agentm(['retry', waiting[0]?.stepId ?? ''])
      expect(out).toContain('Ready again')
    }
    const { code, err } = await world.cli.agentm(['run', planId])
    expect({ code, requests: server.requests.length, err }).toMatchObject({ code: 0, requests: 3 })
  })

  it('takes the conversation up where it was, and pays for no reply twice', async () => {
    const { world, server } = await worldWith((_, n) =>
      n === 1 ? { calls: [['files_list', { path: '.' }]] } : n === 2 ? inAnHour() : { text: 'Done.' },
    )
    const planId = await world.plan(asksFor('g'))
    const run = world.cli.start(['run', planId])
    await run.said('waits until 20')
    const { waiting } = await world.state(planId)
    await world.cli.agentm(['retry', waiting[0]?.stepId ?? ''])
    expect(await run.ended()).toBe(0)
    expect(server.requests.map(({ body }) => body.messages.length)).toEqual([2, 4, 4])
  })
})

describe('an http step that is refused with 429', { timeout: 60_000 }, () => {
  it('waits until the date that the server names, and uses up no retry', async () => {
    let calls = 0
    const server = createServer((_, response) => {
      calls += 1
      const until = new Date(Date.now() + 3_600_000).toUTCString()
      if (calls === 1) response.writeHead(429, { 'retry-after': until })
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const world = await PlanWorld.make({ kinds: 'http' })
    const { port } = server.address() as AddressInfo
    const planId = await world.plan(
      `goal: g\nsteps:\n  - { key: a, kind: http, input: { url: 'http://127.0.0.1:${port}/', method: POST } }\n`,
    )
    await world.cli.agentm(['worker', '--once'])
    const { waiting } = await world.state(planId)
    expect(waiting).toMatchObject([{ status: 'blocked', attempt: 0 }])
    const { out } = await world.cli.agentm(['status', planId])
    expect(out).toContain(`waits for a rate limit to pass: POST http://127.0.0.1:${port}/ answered 429`)
    await world.cli.agentm(['worker', '--once'])
    expect(calls).toBe(1)
    await world.cli.agentm(['retry', waiting[0]?.stepId ?? ''])
    await world.cli.agentm(['worker', '--once'])
    expect([calls, (await world.state(planId)).status]).toEqual([2, 'done'])
  })
})
