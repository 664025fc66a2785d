/** The virtual time of the harness on a store that writes a file. */
import { durable, harnessConcepts, openHarness, startWorker, type StepKind } from '@agentm/harness'
import { virtualTime } from '@agentm/harness/testing'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'

const week = 7 * 24 * 60 * 60_000

it('lets a step on a file wait a week in the time that its work takes', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'virtual-time-'))
  const time = virtualTime({ start: Date.UTC(2026, 2, 1) })
  const file = path.join(home, 'plans.db')
  const store = await openSqliteStore({ path: file, concepts: harnessConcepts, runtime: time.runtime })
  const runs: number[] = []
  const kind: StepKind = {
    name: 'polite',
    async run() {
      runs.push(time.now())
      if (runs.length > 1) return { end: 'done' }
      const failure = { cause: 'busy', message: 'in a week', retryable: true, retryAfterMs: week }
      return { end: 'failed', failure }
    },
  }
  try {
    const harness = openHarness({ store, owner: 'ada', actor: 'test' })
    const worker = await startWorker({ store, owners: ['ada'], kinds: [kind], ...time.worker })
    const began = performance.now()
    const { planId } = await harness.createPlan({ goal: 'wait', steps: [{ key: 'a', title: 'a', kind: 'polite' }] })
    expect((await time.until(harness.ended(planId))).status).toBe('done')
    const [first = 0, second = 0] = runs
    expect(second - first).toBeGreaterThanOrEqual(week)
    expect(second - first).toBeLessThan(week * 1.5)
    expect(performance.now() - began).toBeLessThan(10_000)
    await time.until(worker.stop())
  } finally {
    await store.close()
    await rm(home, { recursive: true, force: true })
  }
})

it('wakes a function on a file each day at its time, for a month', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'virtual-time-'))
  const time = virtualTime({ start: Date.UTC(2026, 2, 1) })
  const file = path.join(home, 'functions.db')
  const store = await openSqliteStore({ path: file, concepts: harnessConcepts, runtime: time.runtime })
  const woken: number[] = []
  const trial = durable('trial', { input: z.object({}) }, async (run) => {
    for (let day = 1; day <= 30; day++) {
      await run.sleep('1 day')
      await run.step('look', () => void woken.push(time.now()))
    }
  })
  try {
    const harness = openHarness({ store, owner: 'ada', actor: 'test' })
    const worker = await startWorker({ store, owners: ['ada'], kinds: [trial], ...time.worker })
    const began = time.now()
    const handle = await harness.start(trial, {})
    await time.until(handle.result())
    const day = 24 * 60 * 60_000
    // Each wait counts from the step before it, so what a wait is late adds up.
    expect(woken.map((at, i) => at - began - (i + 1) * day).every((late) => late >= 0 && late < 60_000)).toBe(true)
    expect(woken).toHaveLength(30)
    await time.until(worker.stop())
  } finally {
    await store.close()
    await rm(home, { recursive: true, force: true })
  }
})
