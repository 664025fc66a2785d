/** Four worker processes that are killed at any moment keep every limit, as the log shows. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { scanAll, type Node, type NodeStore } from '@agentm/nodes'
import { seededRandom } from '@agentm/conformance/logs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHarness, type NewStep } from '@agentm/harness'
import { openStore } from '../bench/harness/stores.mjs'
import { ownPostgres } from '../own-postgres.mjs'

const server = ownPostgres()
const module = fileURLToPath(new URL('../bench/harness/worker-process.mjs', import.meta.url))
const limit = { key: 'deploy:eu', atOnce: 3 }
const rate = { key: 'hub', starts: 10, per: 1000 }

type Address = Parameters<typeof openStore>[0]

describe.each([
  ['one file', (): Address => ({ file: path.join(ownDirectory(), 'plans.db') })],
  ['PostgreSQL', (): Address => ({ url: server().url, schema: server().newSchema() })],
])('four worker processes over %s, killed at any moment', (_, newAddress) => {
  it('never run more steps of a key at once, nor start more in a time, than its limits say', async () => {
    const address = newAddress()
    const store = await openStore(address)
    onTestFinished(() => store.close())
    const harness = openHarness({ store, owner: 'ada', actor: 'test' })
    const plans = await Promise.all(
      ['attic', 'cellar', 'roof'].map((partition) =>
        harness.createPlan({ id: partition, goal: partition, partition, steps: [...limited(40), ...rated(30)] }),
      ),
    )
    const stop = killing(address)
    for (const { planId } of plans)
      expect((await harness.ended(planId, { signal: AbortSignal.timeout(100_000) })).status).toBe('done')
    const kills = await stop()
    expect(kills).toBeGreaterThan(3)
    const versions = await versionsIn(store)
    expect(mostAtOnce(versions.filter(({ payload }) => payload['limit'] !== undefined))).toBe(limit.atOnce)
    const starts = versions
      .filter((node) => isClaim(node) && node.payload['rate'] !== undefined)
      .map((node) => node.createdAt)
    expect(starts.length).toBeGreaterThanOrEqual(90)
    expect(mostWithin(starts, rate.per)).toBe(rate.starts)
    const crashes = (await harness.steps('attic')).map(({ payload }) => payload.failures ?? 0)
    expect(crashes.every((failures) => failures === 0)).toBe(true)
    expect((await store.log.check()).problems).toEqual([])
  }, 150_000)
})

function limited(count: number): readonly NewStep[] {
  return Array.from({ length: count }, (_, i) => ({ ...step(`limited ${i}`, 20 + ((i * 37) % 80)), limit }))
}

function rated(count: number): readonly NewStep[] {
  return Array.from({ length: count }, (_, i) => ({ ...step(`rated ${i}`, 5), rate, priority: i % 3 }))
}

function step(key: string, ms: number): NewStep {
  // Killed workers are no fault of the step.
  return { key, title: key, kind: 'nothing', input: { ms }, retry: { maxCrashes: 1000, baseMs: 1, capMs: 20 } }
}

/** Starts four workers, and kills one after the other; each is followed by another one. Call the result to end them all. */
function killing(address: Address): () => Promise<number> {
  const random = seededRandom(7)
  const workers: ChildProcess[] = []
  const begin = () =>
    workers.push(
      fork(module, [JSON.stringify(address)], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
    )
  for (let i = 0; i < 4; i++) begin()
  let kills = 0
  const timer = setInterval(() => {
    const [victim] = workers.splice(Math.floor(random() * workers.length), 1)
    victim?.kill('SIGKILL')
    kills += 1
    begin()
  }, 1500)
  const end = async () => {
    clearInterval(timer)
    const alive = workers.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const gone = alive.map(async (worker) => {
      const exit = once(worker, 'exit')
      worker.kill('SIGKILL')
      await exit
    })
    await Promise.all(gone)
    return kills
  }
  onTestFinished(async () => void (await end()))
  return end
}

/** Every version of every step, in the order of the log. */
async function versionsIn({ log }: NodeStore): Promise<readonly Node[]> {
  const heads = await scanAll(log, { owner: 'ada', concepts: ['v1:harness:step'] })
  const histories = await Promise.all(heads.map(({ id }) => log.history(id, { owner: 'ada' })))
  return histories.flat().toSorted((a, b) => a.seq - b.seq)
}

function isClaim({ provenanceMutation }: Node): boolean {
  return provenanceMutation === 'startHarnessStep'
}

function mostAtOnce(versions: readonly Node[]): number {
  const running = new Set<string>()
  let most = 0
  for (const { id, status } of versions) {
    if (status === 'running') running.add(id)
    else running.delete(id)
    most = Math.max(most, running.size)
  }
  return most
}

/** The most of these times within any span of so many milliseconds. */
function mostWithin(times: readonly number[], ms: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + ms).length))
}

function ownDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'agentm-flow-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
