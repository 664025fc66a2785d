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
const rounds = 16
const asTheyShouldBe = { broken: [] as string[], problems: [] as readonly unknown[], areSomeAbsent: true }

it('a fork of 600 steps is whole or absent, wherever its process is killed, on SQLite', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'fork-killed-'))
  closing.push(() => rmSync(directory, { recursive: true, force: true }))
  const address = path.join(directory, 'agentm.db')
  const store = await openSqliteStore({ path: address, concepts: harnessConcepts })
  expect(await killedForks(address, store)).toEqual(asTheyShouldBe)
})

it('a fork of 600 steps is whole or absent, wherever its process is killed, on PostgreSQL', async ({ skip }) => {
  const place = await postgresPlace()
  if (typeof place === 'string') {
    skip(place)
    return
  }
  closing.push(() => place.stop())
  expect(await killedForks(place.address, await place.open())).toEqual(asTheyShouldBe)
})

const pair = (n: number) => [
  { key: `a-${n}`, title: `a ${n}`, kind: 'work' },
  { key: `b-${n}`, title: `b ${n}`, kind: 'work', dependsOn: [`a-${n}`, 'start'] },
]

/** What became of forks that were killed, and then made again. */
async function killedForks(address: string, store: NodeStore): Promise<typeof asTheyShouldBe> {
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
  const all = [
    { key: 'start', title: 'start', kind: 'work' },
    ...Array.from({ length: pairs }, (_, n) => pair(n)).flat(),
  ]
  await harness.createPlan({ id: 'one', goal: 'many', steps: all })
  const worker = await startWorker({ store, owners: ['ada'], kinds: [kind], slots: 50 })
  closing.push(() => worker.stop())
  await harness.ended('one')
  const took = await timeOf(address)
  const broken: string[] = []
  let absent = 0
  for (let round = 0; round < rounds; round++) {
    const id = `fork-${round}`
    await forkAndKill(address, id, (took * 1.3 * round) / rounds)
    const state = await stateOf(harness, id)
    if (state === 'absent') absent += 1
    else if (state !== 'whole') broken.push(`${id}: ${state}`)
  }
  // A process that was killed leaves nothing behind that keeps the same fork from being made.
  for (let round = 0; round < rounds; round++) await harness.forkPlan('one', { from: 'start', id: `fork-${round}` })
  for (let round = 0; round < rounds; round++) {
    const id = `fork-${round}`
    const { status } = (await harness.ended(id)).payload
    const own = ran.filter((each) => each.startsWith(`${id} `))
    const once = own.length === new Set(own).size && own.length === pairs + 1
    if (status !== 'done' || !once || own.some((each) => each.includes(' a-')))
      broken.push(`${id}: ${status}, ${own.length} runs`)
  }
  return { broken, problems: (await store.log.check()).problems, areSomeAbsent: absent > 2 }
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

/** Whole is: with every step, and each carried one done. */
async function stateOf(harness: Harness, id: string): Promise<string> {
  try {
    await harness.plan(id)
  } catch (error) {
    if (!isNodesError(error, 'ABSENT_NODE')) throw error
    return 'absent'
  }
  const heads = await harness.steps(id)
  const carried = heads.filter(({ payload }) => payload.carriedFrom !== undefined).length
  return heads.length === steps + 1 && carried === pairs ? 'whole' : `${heads.length} steps, ${carried} carried`
}
