/** Functions whose workers are killed wherever they wait: the result is that of a run without any fault, and no effect is doubled. */
import { harnessConcepts, type Harness, openHarness, replayAgainst } from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { postgresPlace } from './postgres-place.ts'
import { expectedResult, givenUp, killedFunctions, paid, repeated } from './processes/killed-function.mjs'

const script = fileURLToPath(new URL('processes/killed-worker.mjs', import.meta.url))
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

it('a function of more than sixty calls survives a kill -9 at each of them, on SQLite', async () => {
  const directory = await emptyDirectory()
  const file = path.join(directory, 'agentm.db')
  const store = await openSqliteStore({ path: file, concepts: harnessConcepts })
  expect(await killsSurvived(directory, { address: file, store })).toBeGreaterThan(2 * 60)
})

it('a function of more than sixty calls survives a kill -9 at each of them, on PostgreSQL', async ({ skip }) => {
  const place = await postgresPlace()
  if (typeof place === 'string') {
    skip(place)
    return
  }
  closing.push(() => place.stop())
  const store = await place.open()
  expect(await killsSurvived(await emptyDirectory(), { address: place.address, store })).toBeGreaterThan(2 * 60)
})

it('an answer survives its worker, which is killed before it takes it and after, on SQLite', async () => {
  const directory = await emptyDirectory()
  const file = path.join(directory, 'agentm.db')
  const store = await openSqliteStore({ path: file, concepts: harnessConcepts })
  expect(await killsWhenTaking(directory, { address: file, store })).toEqual(['before', 'after'])
})

it('an answer survives its worker, which is killed before it takes it and after, on PostgreSQL', async ({ skip }) => {
  const place = await postgresPlace()
  if (typeof place === 'string') {
    skip(place)
    return
  }
  closing.push(() => place.stop())
  const store = await place.open()
  expect(await killsWhenTaking(await emptyDirectory(), { address: place.address, store })).toEqual(['before', 'after'])
})

/**
 * The question is answered while a step beside it runs, and that step goes on until all that follows from the answer is in the log. Gives
 * the kills around the write with which the function takes the answer.
 */
async function killsWhenTaking(
  directory: string,
  { address, store }: { readonly address: string; readonly store: NodeStore },
): Promise<readonly string[]> {
  closing.push(() => store.close())
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const { asking } = killedFunctions(directory, () => undefined)
  const retry = { maxFailures: 3, maxCrashes: 50, baseMs: 1, capMs: 5 }
  const { planId, steps } = await harness.createPlan({ goal: 'asking', steps: [{ ...asking.step({}), retry }] })
  const stepId = steps[asking.step({}).key] ?? ''
  const handle = harness.run(planId)
  const crew = new Crew(address, directory)
  closing.push(() => crew.dismiss())
  const shown = async () => (await harness.waiting(planId)).find(({ ask }) => ask?.text === 'Ship it?')
  while ((await shown()) === undefined) await sleep(10)
  const answer = { questionId: 'ask-0', value: 'yes' }
  const [first, second] = [
    await harness.answer(stepId, answer),
    await harness.answer(stepId, { ...answer, value: 'no' }),
  ]
  expect([first.accepted, second.accepted, second.answer.value]).toEqual([true, false, 'yes'])
  const person = new AbortController()
  closing.push(() => person.abort())
  const answering = answerAll(harness, planId, { directory, signal: person.signal })
  const isShipped = async () =>
    (await handle.history()).entries.some(({ entry }) => entry.name === 'ship' && entry.status === 'done')
  while (!(await isShipped())) await sleep(20)
  writeFileSync(path.join(directory, 'built'), '')
  expect(await handle.result()).toEqual(['yes', 'built'])
  person.abort()
  await answering

  expect(effectsOf(directory).get('ship')).toBe(1)
  expect(await replayAgainst(await handle.history(), asking)).toEqual({ ended: 'done', value: ['yes', 'built'] })
  expect(await settledMoreThanOnce(store)).toEqual([])
  const killed = readdirSync(path.join(directory, 'killed')).map((name) => decodeURIComponent(name))
  return ['before', 'after'].filter((when) =>
    killed.some((point) => point.startsWith(when) && point.includes('0 ask Ship it? done')),
  )
}

/** How many kills there were, once the function has ended as it should. */
async function killsSurvived(
  directory: string,
  { address, store }: { readonly address: string; readonly store: NodeStore },
): Promise<number> {
  closing.push(() => store.close())
  const crew = new Crew(address, directory)
  closing.push(() => crew.dismiss())
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const { long } = killedFunctions(directory, () => undefined)
  // So that a lost worker is replaced at once, and not after a pause.
  const retry = { maxFailures: 3, maxCrashes: 50, baseMs: 1, capMs: 5 }
  const { planId } = await harness.createPlan({ goal: 'long', steps: [{ ...long.step({}), retry }] })
  const handle = harness.run(planId)
  await handle.signal('say', 'first')
  await handle.signal('say', 'second')
  const person = new AbortController()
  closing.push(() => person.abort())
  const answering = answerAll(harness, planId, { directory, signal: person.signal })
  void waitsForSignal(harness, planId).then(() => handle.signal('say', 'third'))
  expect(await handle.result()).toEqual(expectedResult)
  person.abort()
  await answering

  const history = await handle.history()
  expect(await replayAgainst(history, long)).toEqual({ ended: 'done', value: expectedResult })
  expect(history.entries.length).toBeGreaterThan(60)
  expect(await settledMoreThanOnce(store)).toEqual([])
  const kills = readdirSync(path.join(directory, 'killed'))
  const times = effectsOf(directory)
  console.info(JSON.stringify({ positions: history.entries.length, kills: kills.length, effects: times.size }))
  expect(crew.deaths).toBeGreaterThanOrEqual(kills.length)
  expect(paid.map((name) => [name, times.get(name)])).toEqual(paid.map((name) => [name, 1]))
  // A worker that is killed between the intent and the effect leaves it undone.
  expect(times.get(givenUp) ?? 0).toBeLessThanOrEqual(1)
  expect(times.get(repeated)).toBeGreaterThanOrEqual(1)
  for (const name of ['book flight', 'book hotel', 'undo flight', 'undo hotel'])
    expect(times.get(name)).toBeGreaterThanOrEqual(1)
  return kills.length
}

/** Two workers at any time, until it is dismissed. */
class Crew {
  deaths = 0
  readonly #members = new Set<ChildProcess>()
  readonly #args: readonly string[]
  #isOver = false

  constructor(...args: readonly [address: string, directory: string]) {
    this.#args = args
    this.#employ()
    this.#employ()
  }

  #employ(): void {
    const member = spawn(process.execPath, [script, ...this.#args], { stdio: ['ignore', 'ignore', 'inherit'] })
    this.#members.add(member)
    member.once('exit', () => {
      this.deaths += 1
      this.#members.delete(member)
      if (!this.#isOver) this.#employ()
    })
  }

  async dismiss(): Promise<void> {
    this.#isOver = true
    const gone = [...this.#members].map((member) => new Promise((resolve) => member.once('exit', resolve)))
    for (const member of this.#members) member.kill('SIGKILL')
    await Promise.all(gone)
  }
}

/** A person who looks whether an effect happened before saying so. */
async function answerAll(
  harness: Harness,
  planId: string,
  { directory, signal }: { readonly directory: string; readonly signal: AbortSignal },
): Promise<void> {
  const said: Readonly<Record<string, string>> = { 'Go on?': 'yes', 'Stop?': 'no' }
  while (!signal.aborted) {
    for (const { stepId, ask } of await harness.waiting(planId)) {
      if (ask === undefined) continue
      const [, name = ''] = /The worker of "(.*)" is gone/.exec(ask.text) ?? []
      const value = said[ask.text] ?? (effectsOf(directory).has(name) ? 'done' : 'retry')
      // The run may have gone on in between.
      await harness.answer(stepId, { questionId: ask.questionId, value }).catch(() => undefined)
    }
    await sleep(20)
  }
}

async function waitsForSignal(harness: Harness, planId: string): Promise<void> {
  const waits = async () => (await harness.waiting(planId)).some(({ waitsFor }) => waitsFor.for === 'signal')
  while (!(await waits())) await sleep(20)
}

function effectsOf(directory: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  const lines = readFileSync(path.join(directory, 'effects'), { encoding: 'utf8', flag: 'a+' }).split('\n')
  for (const line of lines.filter((each) => each !== '')) times.set(line, (times.get(line) ?? 0) + 1)
  return times
}

/** Entries with two versions that end them, of any run. */
async function settledMoreThanOnce({ log }: NodeStore): Promise<readonly string[]> {
  const { nodes } = await log.scan({
    owner: 'ada',
    concepts: ['v1:harness:entry'],
    versions: 'all',
    limit: 10_000,
  })
  const times = new Map<string, number>()
  for (const { id, payload } of nodes)
    if (payload['status'] === 'done' || (payload['status'] === 'failed' && payload['retryAt'] === undefined))
      times.set(id, (times.get(id) ?? 0) + 1)
  return [...times].flatMap(([id, count]) => (count > 1 ? [`${id} ended ${count} times`] : []))
}

async function emptyDirectory(): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), 'functions-killed-'))
  mkdirSync(path.join(directory, 'killed'))
  closing.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
