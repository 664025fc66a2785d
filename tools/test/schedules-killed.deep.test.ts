/** Two worker processes make the starts of every second, and are killed at random. Afterwards every second has its one plan. */
import { seededRandom } from '@agentm/conformance/logs'
import { harnessConcepts, openHarness } from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findPostgres, startPostgres } from '../postgres-server.mjs'

const workerFile = fileURLToPath(new URL('../schedule-worker.mjs', import.meta.url))
const plan = { goal: 'tick', steps: [{ key: 'tick', title: 'tick', kind: 'tick' }] }

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

async function torment(store: NodeStore, address: string, ms: number) {
  const random = seededRandom(Date.now() % 100_000)
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const start = (i: number) =>
    spawn(process.execPath, [workerFile, address, `worker-${i}`], { stdio: ['ignore', 'ignore', 'inherit'] })
  const crew = [start(0), start(1)]
  let kills = 0
  try {
    await harness.schedule('often', { every: '1 second', plan, catchUp: 'all', overlap: 'allow' })
    for (const until = Date.now() + ms; Date.now() < until; kills++) {
      await sleep(200 + random() * 900)
      const i = kills % 2
      await gone(crew[i] as ChildProcess)
      crew[i] = start(i)
    }
    // The workers that are left catch up, and then wait for the next second.
    const isCaughtUp = async () => {
      const { next, schedule } = await harness.scheduleHistory('often')
      return schedule.backlog.length === 0 && Date.now() - (next[0] ?? 0) < 500
    }
    await expect.poll(isCaughtUp, { timeout: 60_000 }).toBe(true)
    await harness.pauseSchedule('often')
    await expect.poll(async () => (await harness.statuses()).length, { timeout: 60_000 }).toBe(0)
  } finally {
    await Promise.all(crew.map(gone))
  }
  return { kills, ...(await startsIn(store)) }
}

async function startsIn(store: NodeStore) {
  const { nodes } = await store.log.scan({ owner: 'ada', concepts: ['v1:harness:plan'], limit: 10_000 })
  const slots = nodes.map(({ payload }) => Date.parse(String(payload['scheduledFor']))).toSorted((a, b) => a - b)
  const gaps = slots.slice(1).map((slot, i) => slot - (slots[i] ?? 0))
  return { slots: slots.length, gaps: [...new Set(gaps)], statuses: [...new Set(nodes.map(({ status }) => status))] }
}

it('loses no start and makes none twice on a file', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'schedules-killed-'))
  const address = path.join(directory, 'agentm.db')
  const store = await openSqliteStore({ path: address, concepts: harnessConcepts })
  try {
    const found = await torment(store, address, 30_000)
    console.info(JSON.stringify(found))
    expect(found).toMatchObject({ gaps: [1000], statuses: ['done'] })
    expect(found.slots).toBeGreaterThanOrEqual(30)
  } finally {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
})

it('loses no start and makes none twice on PostgreSQL', async ({ skip }) => {
  const server = findPostgres()
  if (typeof server === 'string') {
    skip(server)
    return
  }
  const { openPostgresStore } = await import('@agentm/nodes-postgres')
  const running = await startPostgres(server)
  const target = { url: running.url, schema: running.newSchema() }
  const store = await openPostgresStore({ ...target, concepts: harnessConcepts })
  try {
    const found = await torment(store, JSON.stringify(target), 20_000)
    console.info(JSON.stringify(found))
    expect(found).toMatchObject({ gaps: [1000], statuses: ['done'] })
    expect(found.slots).toBeGreaterThanOrEqual(20)
  } finally {
    await store.close()
    await running.stop()
  }
})
