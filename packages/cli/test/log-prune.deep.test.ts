/** Removing old plans while others work, while a second process removes them too, and while the process is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { harnessConcepts as concepts } from '@agentm/harness/concepts'
import { type Draft, type NodeStore, type Payload, scanAll } from '@agentm/nodes'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { expect, it, onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('children/prune-process.mjs', import.meta.url))
const ada = { owner: 'ada', actor: 'test', partition: 'attic' }
const [stepsOfPlan, recordsOfStep] = [6, 3]
const nodesOfPlan = 1 + stepsOfPlan * (1 + recordsOfStep)

function draft(concept: string, id: string, payload: Payload): Draft {
  return { concept: `v1:harness:${concept}`, id, payload: { ownerUserId: 'ada', ...payload }, mutation: 'test' }
}

function planDrafts(id: string, status: string): readonly Draft[] {
  const drafts = [draft('plan', id, { goal: `goal of ${id}` })]
  for (let i = 0; i < stepsOfPlan; i++) {
    const step = `${id}-${i}`
    const dependsOn = i === 0 ? [] : [`${id}-${i - 1}`]
    drafts.push(draft('step', step, { planId: id, title: step, idempotencyKey: step, dependsOn }))
    for (let k = 0; k < recordsOfStep; k++)
      drafts.push(
        draft('observation', `${step}-${k}`, { planId: id, stepId: step, kind: 'note', content: `${step} ${k}` }),
      )
  }
  return [...drafts, draft('plan', id, { status })]
}

interface World {
  readonly store: NodeStore
  readonly file: string
  readonly before: number
}

/** Old plans that are over; then plans that are over and young, or old and running. */
async function world({ old, kept }: { readonly old: number; readonly kept: number }): Promise<World> {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-prune-'))
  const file = path.join(directory, 'agentm.db')
  const store = await openSqliteStore({ path: file, concepts })
  onTestFinished(async () => {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  })
  for (let i = 0; i < old; i++) {
    await store.log.append(planDrafts(`old${i}`, 'done'), { ...ada, durability: 'normal' })
    if (i < kept) await store.log.append(planDrafts(`running${i}`, 'running'), { ...ada, durability: 'normal' })
  }
  await sleep(20)
  const before = Date.now()
  for (let i = 0; i < kept; i++) await store.log.append(planDrafts(`young${i}`, 'done'), ada)
  return { store, file, before }
}

function startPrune({ file, before }: World) {
  const child = spawn(process.execPath, [script, file, String(before)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const reading = createInterface({ input: child.stdout })
  reading.on('line', (line) => lines.push(line))
  return { child, reading, lines, ended: once(child, 'close') }
}

async function idsOf({ store }: World, prefix: string): Promise<readonly string[]> {
  const heads = await scanAll(store.log, { owner: 'ada' })
  return heads.map(({ id }) => id.slice(id.lastIndexOf(':') + 1)).filter((id) => id.startsWith(prefix))
}

it(
  'a process that is killed at any moment leaves a sound log, and the next one goes on',
  { timeout: 600_000 },
  async () => {
    const made = await world({ old: 400, kept: 10 })
    let kills = 0
    for (let isDone = false; !isDone;) {
      const { child, reading, ended } = startPrune(made)
      if (kills < 12) {
        await Promise.race([once(reading, 'line'), ended])
        await sleep(Math.random() * 60)
        isDone = child.exitCode !== null
        child.kill('SIGKILL')
        kills += 1
      } else isDone = true
      await ended
      expect((await made.store.log.check()).problems).toEqual([])
      for (const prefix of ['running', 'young']) expect(await idsOf(made, prefix)).toHaveLength(10 * nodesOfPlan)
    }
    const last = startPrune(made)
    await last.ended
    expect(last.child.exitCode).toBe(0)
    expect(await idsOf(made, 'old')).toEqual([])
    await made.store.log.rebuild()
    expect((await made.store.log.check()).problems).toEqual([])
  },
)

it(
  'two processes remove the same plans while a worker goes on, and nothing else is lost',
  { timeout: 600_000 },
  async () => {
    const made = await world({ old: 300, kept: 10 })
    const { log, work } = made.store
    const runs = [startPrune(made), startPrune(made)]
    const ended = Promise.all(runs.map(async (run) => run.ended))
    const { id: session } = await work.openSession({ actor: 'worker', leaseMs: 600_000 })
    await log.append([draft('plan', 'busy', { goal: 'busy' }), draft('plan', 'busy', { status: 'running' })], ada)
    const done: string[] = []
    const isOver = () => runs.every(({ child }) => child.exitCode !== null || child.signalCode !== null)
    for (let i = 0; i < 20 || !isOver(); i++) {
      const id = `busy-${i}`
      const step = { planId: 'busy', title: id, idempotencyKey: id }
      await log.append([draft('step', id, step), draft('step', id, { status: 'ready' })], ada)
      const [taken] = await work.take({
        session,
        owners: ['ada'],
        concepts: ['v1:harness:step'],
        actor: 'worker',
        k: 1,
      })
      expect(taken?.id).toBe(`v1:harness:step:${id}`)
      await log.append([{ ...draft('step', id, { status: 'done' }), unset: ['session'] }], ada)
      done.push(id)
      await sleep(1)
    }
    await ended
    expect(runs.map(({ child }) => child.exitCode)).toEqual([0, 0])
    const removed = runs.map(({ lines }) => Number(JSON.parse(lines.at(-1) ?? '{}')['nodes']))
    expect(removed.reduce((sum, nodes) => sum + nodes, 0)).toBe(300 * nodesOfPlan)
    expect(await idsOf(made, 'old')).toEqual([])
    for (const prefix of ['running', 'young']) expect(await idsOf(made, prefix)).toHaveLength(10 * nodesOfPlan)
    const finished = await scanAll(log, { owner: 'ada', parent: 'v1:harness:plan:busy', status: 'done' })
    expect(finished).toHaveLength(done.length)
    expect((await log.check()).problems).toEqual([])
  },
)
