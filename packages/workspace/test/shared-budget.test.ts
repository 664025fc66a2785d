/** Two worker processes and a budget for one of their calls, on the stores people use. */
import { harnessConcepts, openHarness } from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'
import { openSqliteLog } from '@agentm/nodes-sqlite'
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
  return { address: file, open: () => openSqliteLog({ path: file, concepts: harnessConcepts }) }
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
  const waiting = async () => (await harness.waiting(planId)).filter(({ waitsFor }) => waitsFor.startsWith('room in '))
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

describe.each([
  ['sqlite', sqlitePlace],
  ['postgres', serverPlace],
])('two processes on %s', (_, placeOf) => {
  it('make no more calls together than their plan may', async ({ skip }) => {
    const place = await placeOf()
    if (typeof place === 'string') throw skip(place)
    const { harness, door, planId, steps, waiting } = await world(place)
    await until(async () => door.knocks.length > 1 || (await waiting()).length > 0)
    const [row] = await waiting()
    const other = Object.values(steps).find((id) => id !== row?.stepId)
    expect(row?.waitsFor).toContain(`room in max_tool_calls of ${planId}, set aside by`)
    expect(row?.waitsFor).toContain(other)
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
