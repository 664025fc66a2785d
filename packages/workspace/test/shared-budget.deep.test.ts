/** Workers and processes that share a budget, on the stores people use. */
import { harnessConcepts, openHarness, startWorker, type StepKind } from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import type { FilePath } from '@agentm/vault-lock'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { postgresPlace } from './postgres-place.ts'

const script = fileURLToPath(new URL('processes/agent-worker.mjs', import.meta.url))
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Place {
  readonly address: string
  open(): Promise<NodeStore>
}

async function sqlitePlace(): Promise<Place> {
  const directory = await mkdtemp(path.join(tmpdir(), 'shared-budget-'))
  closing.push(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, 'agentm.db') as FilePath
  return { address: file, open: () => openSqliteStore({ path: file, concepts: harnessConcepts }) }
}

async function serverPlace(): Promise<Place | string> {
  const place = await postgresPlace()
  if (typeof place !== 'string') closing.push(() => place.stop())
  return place
}

/** Answers nobody before it is opened, and then everybody. */
async function doorkeeper() {
  const knocks: ServerResponse[] = []
  let isOpen = false
  const server = createServer((_, response) => {
    knocks.push(response)
    if (isOpen) response.end('come in')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`,
    knocks,
    open() {
      isOpen = true
      for (const knock of knocks) knock.end('come in')
    },
  }
}

async function world(place: Place) {
  const store = await place.open()
  closing.push(() => store.close())
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const model = await startScriptedServer(({ messages }) =>
    messages.some(({ role }) => role === 'tool') ? { text: 'Somebody was in.' } : { calls: [['knock', {}]] },
  )
  closing.push(() => model.close())
  const door = await doorkeeper()
  for (const _ of [1, 2]) await startProcess(place.address, model.url, door.url)
  const { planId, steps } = await harness.createPlan({
    goal: 'visit',
    steps: ['a', 'b'].map((key) => ({ key, title: key, kind: 'agent' })),
    budget: { maxToolCalls: 1, maxTokens: 1_000_000 },
  })
  const waiting = async () => (await harness.waiting(planId)).filter(({ waitsFor }) => waitsFor.for === 'room')
  return { store, harness, door, planId, steps, waiting }
}

async function startProcess(...args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  closing.push(async () => {
    const gone = child.exitCode !== null || child.signalCode !== null || once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  await once(child.stdout, 'data')
  return child
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(10)
}

const places = [
  ['sqlite', sqlitePlace],
  ['postgres', serverPlace],
] as const

/** Calls as fast as it may, until it is refused; `begun` hears of each run. */
const greedy = (begun: string[]): StepKind => ({
  name: 'greedy',
  async run(run) {
    begun.push(run.planId)
    const one = { tokens: 0, toolCalls: 1, costMicros: 0 }
    for (;;) {
      const call = await run.budget.reserve(one)
      if (!call.granted) return { end: 'done' }
      await call.settle(one)
      await run.observe({ kind: 'tool_result', content: 'called' })
    }
  },
})

describe.each(places)('two workers on %s', (_, placeOf) => {
  it('make exactly as many calls, and as many starts, as a budget allows', async ({ skip }) => {
    const place = await placeOf()
    if (typeof place === 'string') throw skip(place)
    const begun: string[] = []
    for (let n = 0; n < 2; n++) {
      const store = await place.open()
      closing.push(() => store.close())
      const worker = await startWorker({ store, owners: ['ada'], kinds: [greedy(begun)], slots: 6, perPartition: 12 })
      closing.push(() => worker.stop())
    }
    const store = await place.open()
    closing.push(() => store.close())
    const harness = openHarness({ store, owner: 'ada', actor: 'test' })
    const steps = Array.from({ length: 12 }, (_step, i) => ({ key: `${i}`, title: `${i}`, kind: 'greedy' }))
    const calls = await harness.createPlan({ goal: 'calls', steps, budget: { maxToolCalls: 40 } })
    await harness.ended(calls.planId)
    expect((await harness.usage(calls.planId)).toolCalls).toBe(40)
    const starts = await harness.createPlan({ goal: 'starts', steps, budget: { maxSteps: 5, maxToolCalls: 7 } })
    await harness.ended(starts.planId)
    expect(begun.filter((planId) => planId === starts.planId).length).toBeLessThanOrEqual(5)
    // Claims too many are sent back; those that were allowed go on.
    expect((await harness.usage(starts.planId)).toolCalls).toBe(7)
    const attempts = Object.values(starts.steps).map(async (id) => (await harness.step(id)).payload.attempt)
    expect(new Set(await Promise.all(attempts))).toEqual(new Set([0]))
  }, 120_000)

  it('in processes of their own make no more calls together than their plan may', async ({ skip }) => {
    const place = await placeOf()
    if (typeof place === 'string') throw skip(place)
    const { harness, door, planId, steps, waiting } = await world(place)
    await until(async () => door.knocks.length > 1 || (await waiting()).length > 0)
    const [row] = await waiting()
    const other = Object.values(steps).find((id) => id !== row?.stepId)
    expect(row?.waitsFor).toEqual({
      for: 'room',
      limit: 'max_tool_calls',
      planId,
      others: [expect.stringContaining(other ?? '')],
    })
    door.open()
    await harness.ended(planId)
    expect(door.knocks).toHaveLength(1)
    expect((await harness.usage(planId)).toolCalls).toBe(1)
  }, 120_000)

  it('lend each other nothing of what a process set aside that was killed', async ({ skip }) => {
    const place = await placeOf()
    if (typeof place === 'string') throw skip(place)
    const { harness, store, door, planId, steps, waiting } = await world(place)
    await until(async () => door.knocks.length > 0 && (await waiting()).length > 0)
    const [row] = await waiting()
    const holder = Object.values(steps).find((id) => id !== row?.stepId) ?? ''
    const { session } = (await harness.step(holder)).payload
    const found = (await store.work.sessions()).find(({ id }) => id === session)
    process.kill(Number(found?.facts['pid']), 'SIGKILL')
    // The lease is far from its end: that the step was taken over is what made room.
    await until(() => door.knocks.length > 1)
    door.open()
    await harness.ended(planId)
    expect((await harness.usage(planId)).toolCalls).toBeLessThanOrEqual(1)
  }, 120_000)
})
