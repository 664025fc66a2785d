/**
 * Random plans, three worker processes, and somebody who kills and suspends them at random; an HTTP server counts what
 * really happened. Afterwards the log is asked whether everything that was promised held.
 */
import { seededRandom } from '@agentm/conformance/logs'
import { harnessConcepts, type NewStep, openHarness, type Step } from '@agentm/harness'
import type { Head, Node, NodeStore } from '@agentm/nodes'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const workerScript = fileURLToPath(new URL('processes/harness-worker.mjs', import.meta.url))
const workers = 3

/** Where the plans are kept, and what a worker process opens it by. */
export interface KillLoopPlace {
  readonly address: string
  readonly open: () => Promise<NodeStore>
}

export interface KillLoopOptions {
  /** A file of its own where absent. */
  readonly place?: KillLoopPlace
  readonly ms: number
  readonly plans: number
  readonly leaseMs: number
  readonly seed: number
}

export interface KillLoopReport {
  readonly kills: number
  readonly stops: number
  readonly calls: number
  readonly plans: Readonly<Record<string, number>>
  readonly steps: Readonly<Record<string, number>>
  readonly unknown: number
  readonly restarts: number
  readonly fenced: number
  readonly settleMs: number
  /** Promises that did not hold. */
  readonly broken: readonly string[]
  readonly complaints: readonly string[]
}

export async function runKillLoop(options: KillLoopOptions): Promise<KillLoopReport> {
  const random = seededRandom(options.seed)
  const directory = await mkdtemp(path.join(tmpdir(), 'kill-loop-'))
  const { address, open } = options.place ?? filePlace(path.join(directory, 'agentm.db'))
  const effects = await effectServer()
  const store = await open()
  const crew = new Crew(address, options.leaseMs)
  try {
    const planIds = await createPlans(store, { count: options.plans, url: effects.url, random })
    await crew.start()
    const { kills, stops } = await torment(crew, { ms: options.ms, random })
    await crew.start()
    const before = Date.now()
    await allEnded(store, planIds)
    const settleMs = Date.now() - before
    const found = await examine(store, planIds, effects.calls)
    const calls = [...effects.calls.values()].reduce((sum, times) => sum + times, 0)
    return { kills, stops, calls, settleMs, ...found, complaints: crew.complaints }
  } finally {
    await crew.end()
    await store.close()
    await effects.close()
    await rm(directory, { recursive: true, force: true })
  }
}

function filePlace(file: string): KillLoopPlace {
  return { address: file, open: async () => openSqliteStore({ path: file, concepts: harnessConcepts }) }
}

async function effectServer() {
  const calls = new Map<string, number>()
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key'])
    calls.set(key, (calls.get(key) ?? 0) + 1)
    setTimeout(() => response.end('ok'), 5)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { calls, url: `http://127.0.0.1:${port}/`, close }
}

class Crew {
  readonly complaints: string[] = []
  readonly #members: (ChildProcess | undefined)[] = Array.from({ length: workers })
  readonly #address: string
  readonly #leaseMs: number

  constructor(address: string, leaseMs: number) {
    this.#address = address
    this.#leaseMs = leaseMs
  }

  /** Whoever is not there. */
  async start(): Promise<void> {
    for (let i = 0; i < workers; i++) this.#members[i] ??= this.#spawn()
  }

  async kill(i: number): Promise<void> {
    await gone(this.#members[i])
    this.#members[i] = this.#spawn()
  }

  async suspend(i: number, ms: number): Promise<void> {
    const member = this.#members[i]
    member?.kill('SIGSTOP')
    await sleep(ms)
    member?.kill('SIGCONT')
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map(gone))
  }

  #spawn(): ChildProcess {
    const child = spawn(process.execPath, [workerScript, this.#address, `${this.#leaseMs}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr?.on('data', (text: Buffer) => {
      const said = text.toString()
      if (!said.includes('ExperimentalWarning')) this.complaints.push(said)
    })
    return child
  }
}

async function gone(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGCONT')
  child.kill('SIGKILL')
  await ended
}

async function torment(crew: Crew, { ms, random }: { readonly ms: number; readonly random: () => number }) {
  const until = Date.now() + ms
  let [kills, stops] = [0, 0]
  const suspended: Promise<void>[] = []
  while (Date.now() < until) {
    await sleep(50 + random() * 450)
    const i = Math.floor(random() * workers)
    if (random() < 0.3) {
      stops += 1
      // Some outlast the lease of the quick sample.
      suspended.push(crew.suspend(i, 50 + random() * 2500))
    } else {
      kills += 1
      await crew.kill(i)
    }
  }
  await Promise.all(suspended)
  return { kills, stops }
}

async function createPlans(
  store: NodeStore,
  { count, url, random }: { readonly count: number; readonly url: string; readonly random: () => number },
): Promise<readonly string[]> {
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { planId } = await harness.createPlan({
      goal: `plan ${i}`,
      steps: randomGraph(url, random),
      partition: `p${i % 4}`,
    })
    ids.push(planId)
  }
  return ids
}

/** Loses many workers, none of them its own fault. */
const retry = { maxFailures: 100, maxCrashes: 100, baseMs: 5, capMs: 50 }

function randomGraph(url: string, random: () => number): readonly NewStep[] {
  const size = 2 + Math.floor(random() * 8)
  return Array.from({ length: size }, (_, i) => {
    const dependsOn = Array.from({ length: i }, (__, j) => `s${j}`).filter(() => random() < 0.4)
    return { key: `s${i}`, title: `s${i}`, dependsOn, retry, ...randomWork(url, random) }
  })
}

function randomWork(url: string, random: () => number): Pick<NewStep, 'kind' | 'input' | 'onUnknown' | 'nature'> {
  const dice = random()
  if (dice < 0.4) return { kind: 'nap', input: { ms: Math.floor(random() * 30) } }
  if (dice < 0.7) return { kind: 'http', input: { url, method: 'PUT' } }
  return { kind: 'http', input: { url, method: 'POST' }, onUnknown: 'fail' }
}

async function allEnded(store: NodeStore, planIds: readonly string[]): Promise<void> {
  const until = Date.now() + 150_000
  while (Date.now() < until) {
    const { nodes } = await store.log.scan({ owner: 'ada', ids: planIds, status: ['open', 'running'], limit: 10_000 })
    if (nodes.length === 0) return
    await sleep(50)
  }
}

async function examine(store: NodeStore, planIds: readonly string[], calls: ReadonlyMap<string, number>) {
  const owner = 'ada'
  const broken: string[] = []
  const plans: Record<string, number> = {}
  const steps: Record<string, number> = {}
  let [unknown, restarts] = [0, 0]
  for (const planId of planIds) {
    const plan = await store.log.latest(planId, { owner })
    tally(plans, plan?.status)
    if (plan?.status === 'open' || plan?.status === 'running')
      broken.push(`${planId} did not end: ${await standing(store, planId)}`)
    const { nodes } = await store.log.scan({ owner, parent: planId, concepts: ['v1:harness:step'] })
    for (const head of nodes) {
      const payload = head.payload as Step
      tally(steps, head.status)
      const history = await store.log.history(head.id, { owner })
      broken.push(
        ...(await brokenBy(store, head, history)),
        ...miscounted(head.id, payload, calls.get(payload.idempotencyKey) ?? 0),
      )
      if (payload.failure?.cause === 'unknown') unknown += 1
      restarts += payload.attempt
    }
  }
  const running = await store.log.scan({ owner, concepts: ['v1:harness:step'], status: 'running' })
  for (const { id } of running.nodes) broken.push(`${id} is left running`)
  const report = await store.log.check()
  broken.push(...report.problems)
  const notes = await store.log.scan({ owner, concepts: ['v1:harness:observation'], limit: 10_000 })
  const fenced = notes.nodes.filter(
    ({ payload }) => (payload['data'] as { fenced?: boolean } | undefined)?.fenced === true,
  ).length
  return { plans, steps, unknown, restarts, fenced, broken }
}

async function standing(store: NodeStore, planId: string): Promise<string> {
  return JSON.stringify(await store.work.tally(planId, { owner: 'ada', concept: 'v1:harness:step' }))
}

/** One accepted result per step, and none before what it depends on was done. */
async function brokenBy(store: NodeStore, { id, payload }: Head, history: readonly Node[]): Promise<readonly string[]> {
  const broken: string[] = []
  const results = history.filter(({ provenanceMutation }) => provenanceMutation === 'completeHarnessStep')
  if (results.length > 1) broken.push(`${id} has ${results.length} accepted results`)
  const started = history.find(({ status }) => status === 'running')?.seq ?? Infinity
  for (const dependency of (payload as Step).dependsOn) {
    const head = await store.log.latest(dependency, { owner: 'ada' })
    if (started < Infinity && (head?.status !== 'done' || head.seq > started))
      broken.push(`${id} ran before ${dependency} was done`)
  }
  return broken
}

function miscounted(id: string, { kind, input, status, failure }: Step, calls: number): readonly string[] {
  if (kind !== 'http') return []
  if (status === 'done' && calls === 0) return [`${id} is done and never called`]
  if (input?.['method'] !== 'POST') return []
  if (calls > 1) return [`${id} is effectful and called ${calls} times`]
  if (status === 'failed' && failure?.cause !== 'unknown')
    return [`${id} failed for ${failure?.cause}: ${failure?.message}`]
  return []
}

function tally(counts: Record<string, number>, name = 'absent'): void {
  counts[name] = (counts[name] ?? 0) + 1
}
