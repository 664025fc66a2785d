/** Forks whose process is killed at any moment: each is whole or absent, and what is whole runs once. */
import { harnessConcepts, type Harness, openHarness, startWorker, type StepKind } from '@agentm/harness'
import { isNodesError, type NodeStore } from '@agentm/nodes'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { postgresPlace } from './postgres-place.ts'

const script = fileURLToPath(new URL('processes/forker.mjs', import.meta.url))
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const steps = 600
/** The plan is a row of pairs: `a-N` is done before, and `b-N` needs it and `start`. */
const pairs = steps / 2

it('a fork of 600 steps is whole or absent, wherever its process is killed, on SQLite', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'fork-killed-'))
  closing.push(() => rmSync(directory, { recursive: true, force: true }))
  const address = path.join(directory, 'agentm.db')
  await expectWholeOrAbsent(address, await openSqliteStore({ path: address, concepts: harnessConcepts }))
})

it('a fork of 600 steps is whole or absent, wherever its process is killed, on PostgreSQL', async ({ skip }) => {
  const place = await postgresPlace()
  if (typeof place === 'string') {
    skip(place)
    return
  }
  closing.push(() => place.stop())
  await expectWholeOrAbsent(place.address, await place.open())
})

async function expectWholeOrAbsent(address: string, store: NodeStore): Promise<void> {
  closing.push(() => store.close())
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const ran: string[] = []
  const kind: StepKind = {
    name: 'work',
    async run({ planId, step }) {
      ran.push(`${planId.split(':').at(-1)} ${step.key}`)
      return { end: 'done', result: { value: step.key } }
    },
  }
  const pair = (n: number) => [
    { key: `a-${n}`, title: `a ${n}`, kind: 'work' },
    { key: `b-${n}`, title: `b ${n}`, kind: 'work', dependsOn: [`a-${n}`, 'start'] },
  ]
  const all = [
    { key: 'start', title: 'start', kind: 'work' },
    ...Array.from({ length: pairs }, (_, n) => pair(n)).flat(),
  ]
  await harness.createPlan({ id: 'one', goal: 'many', steps: all })
  const worker = await startWorker({ store, owners: ['ada'], kinds: [kind], slots: 50 })
  closing.push(() => worker.stop())
  await harness.ended('one')
  const took = await timeOf(address)
  const found = { whole: [] as string[], absent: 0 }
  const rounds = 16
  for (let round = 0; round < rounds; round++) {
    const id = `fork-${round}`
    await forkAndKill(address, id, (took * 1.3 * round) / rounds)
    if (await isWhole(harness, id)) found.whole.push(id)
    else found.absent += 1
  }
  expect(found.absent).toBeGreaterThan(2)
  // A process that was killed leaves nothing behind that keeps the same fork from being made.
  for (let round = 0; round < rounds; round++) await harness.forkPlan('one', { from: 'start', id: `fork-${round}` })
  for (let round = 0; round < rounds; round++) {
    const id = `fork-${round}`
    expect((await harness.ended(id)).payload.status).toBe('done')
    const own = ran.filter((each) => each.startsWith(`${id} `))
    expect(own.filter((each) => each.includes(' a-'))).toEqual([])
    expect(own.length).toBe(new Set(own).size)
    expect(own.length).toBe(pairs + 1)
  }
  expect((await store.log.check()).problems).toEqual([])
}

/** How long a fork takes that nobody kills. */
async function timeOf(address: string): Promise<number> {
  const child = start(address, 'whole')
  await heard(child, 'go')
  const began = performance.now()
  await heard(child, 'done')
  return performance.now() - began
}

async function forkAndKill(address: string, id: string, afterMs: number): Promise<void> {
  const child = start(address, id)
  await heard(child, 'go')
  await sleep(afterMs)
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve))
}

function start(address: string, id: string) {
  return spawn(process.execPath, [script, address, 'one', 'start', id], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function heard(child: ReturnType<typeof start>, word: string): Promise<void> {
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }))
    if (String(chunk).includes(`${word}\n`)) return
  throw new Error(`the process ended before it said ${word}`)
}

/** With every step, each carried one done, and the one that can run ready: or the fork is not there at all. */
async function isWhole(harness: Harness, id: string): Promise<boolean> {
  try {
    await harness.plan(id)
  } catch (error) {
    if (!isNodesError(error, 'ABSENT_NODE')) throw error
    return false
  }
  const heads = await harness.steps(id)
  expect(heads.length).toBe(steps + 1)
  expect(heads.filter(({ payload }) => payload.carriedFrom !== undefined).length).toBe(pairs)
  return true
}
