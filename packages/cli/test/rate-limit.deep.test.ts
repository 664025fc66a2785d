/** A rate limit that a worker waits out by itself; it takes as long as the shortest wait that gives the slot back. */
import { expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { PlanWorld } from './plan-world.ts'

it('a step goes on by itself when its rate limit has passed', async () => {
  const world = await PlanWorld.make({ kinds: 'agent' })
  // Up to a minute is waited for in place.
  const server = await startScriptedServer((_, n) =>
    n === 1 ? { status: 429, headers: { 'retry-after-ms': '61000' } } : { text: 'Done.' },
  )
  onTestFinished(() => server.close())
  await world.cli.agentm(['config', 'set', 'models.url', server.url])
  await world.cli.agentm(['config', 'set', 'models.model', 'scripted'])
  const planId = await world.plan('goal: g\nsteps:\n  - { key: ask, kind: agent }\n')
  const began = Date.now()
  const { code, err } = await world.cli.agentm(['run', planId])
  expect({ code, requests: server.requests.length }).toEqual({ code: 0, requests: 2 })
  expect(Date.now() - began).toBeGreaterThan(61_000)
  expect(err).toContain('waits until 20')
})
