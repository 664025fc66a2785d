import { harnessConcepts, openHarness } from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'

const script = fileURLToPath(new URL('processes/harness-worker.mjs', import.meta.url))
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function world() {
  const directory = await mkdtemp(path.join(tmpdir(), 'lost-worker-'))
  closing.push(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, 'agentm.db')
  const store = await openSqliteStore({ path: file, concepts: harnessConcepts })
  closing.push(() => store.close())
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const worker = async (...args: readonly string[]): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [script, file, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
    closing.push(async () => {
      const gone =
        child.exitCode !== null || child.signalCode !== null || new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    })
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    return child
  }
  const runner = async (stepId: string): Promise<number> => {
    for (;;) {
      const { session } = (await harness.step(stepId)).payload
      const found = (await store.work.sessions()).find(({ id }) => id === session)
      if (found !== undefined) return Number(found.facts['pid'])
      await sleep(5)
    }
  }
  return { harness, store, worker, runner }
}

it('goes on after a kill -9 long before the lease ends', async () => {
  const { harness, worker, runner } = await world()
  await Promise.all([worker('30000'), worker('30000')])
  const { planId, steps } = await harness.createPlan({
    goal: 'g',
    steps: [{ key: 'a', title: 'a', kind: 'nap', input: { ms: 1500 } }],
  })
  const stepId = steps['a'] ?? ''
  const pid = await runner(stepId)
  process.kill(pid, 'SIGKILL')
  const killed = Date.now()
  while ((await harness.step(stepId)).payload.attempt === 0) await sleep(5)
  // How soon is for the bench to say (W4); by the lease alone it would be half a minute.
  expect(Date.now() - killed).toBeLessThan(15_000)
  expect((await harness.ended(planId)).status).toBe('done')
})

it('lets no process that was suspended past its lease overwrite what was done instead', async () => {
  const { harness, store, worker, runner } = await world()
  const crew = await Promise.all([worker('2000'), worker('2000')])
  const { planId, steps } = await harness.createPlan({
    goal: 'g',
    steps: [{ key: 'a', title: 'a', kind: 'deaf', input: { ms: 2500 } }],
  })
  const stepId = steps['a'] ?? ''
  const zombie = await runner(stepId)
  await suspend(zombie, store)
  expect((await harness.ended(planId)).status).toBe('done')
  const { result } = (await harness.step(stepId)).payload
  expect(result?.['attempt']).toBeGreaterThan(0)
  expect(result?.['pid']).not.toBe(zombie)
  process.kill(zombie, 'SIGCONT')
  // It wakes up with a result in its hands, and finds that nobody wants it.
  const woke = crew.find(({ pid }) => pid === zombie)
  expect(woke?.exitCode).toBe(null)
  await sleep(1500)
  expect((await harness.step(stepId)).payload.result).toEqual(result)
  const history = await store.log.history(stepId, { owner: 'ada' })
  const completed = history.filter(({ provenanceMutation }) => provenanceMutation === 'completeHarnessStep')
  expect(completed).toHaveLength(1)
})

it('keeps the claim of a step that blocks the event loop, when another thread renews', async () => {
  const { harness, worker } = await world()
  await Promise.all([worker('6000', 'thread'), worker('6000', 'thread')])
  // Longer than a lease from the last renewal, shorter than the lease the thread goes on for.
  const { planId, steps } = await harness.createPlan({
    goal: 'g',
    steps: [{ key: 'a', title: 'a', kind: 'block', input: { ms: 7200 } }],
  })
  expect((await harness.ended(planId)).status).toBe('done')
  expect((await harness.step(steps['a'] ?? '')).payload).toMatchObject({ attempt: 0, result: { attempt: 0 } })
})

it('does not let a loop that is blocked for two leases overwrite what was done instead', async () => {
  const { harness, worker } = await world()
  await Promise.all([worker('700', 'thread'), worker('700', 'thread')])
  const { planId, steps } = await harness.createPlan({
    goal: 'g',
    steps: [{ key: 'a', title: 'a', kind: 'block', input: { ms: 2500 } }],
  })
  const stepId = steps['a'] ?? ''
  while ((await harness.step(stepId)).payload.attempt === 0) await sleep(10)
  // What runs it now may block its own loop just as long; a person ends it.
  await harness.skipStep(stepId, { actor: 'ada', reason: 'it takes too long' })
  expect((await harness.ended(planId)).status).toBe('done')
  await sleep(2600)
  expect((await harness.step(stepId)).payload.result).toEqual({
    skipped: true,
    actor: 'ada',
    reason: 'it takes too long',
  })
})

/** Not in the middle of a write: suspended there, it would hold the lock of the file and nobody could go on. */
async function suspend(pid: number, { work }: NodeStore): Promise<void> {
  for (;;) {
    process.kill(pid, 'SIGSTOP')
    const isFree = await work.openSession({ actor: 'nobody', leaseMs: 1 }).then(
      () => true,
      () => false,
    )
    if (isFree) return
    process.kill(pid, 'SIGCONT')
    await sleep(20)
  }
}
