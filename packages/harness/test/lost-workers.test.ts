import { createInMemoryStore } from '@agentm/conformance/logs'
import type { NodeStore } from '@agentm/nodes'
import { afterEach, describe, expect, it } from 'vitest'
import { systemRuntime } from '@agentm/agent-loop'
import { harnessConcepts, type Heartbeat, openHarness, type StepRun } from '../src/index.ts'
import { type Beat } from '../src/heartbeat.ts'
import { type Setup, setup, steps, untilAborted } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})
function world(...args: Parameters<typeof setup>): Setup {
  const made = setup(...args)
  open.push(made)
  return made
}
const pause = async (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A beat that stops when told to, as that of a suspended process does. */
function deafHeartbeat() {
  const beats: Beat[] = []
  const heartbeat: Heartbeat = {
    start(beat) {
      beats.push(beat)
      return { hurry: () => undefined, stop: async () => undefined }
    },
  }
  return { heartbeat, beats }
}

/** Lets a test say when the store's clock has moved on; the worker's own clock stays. */
function skewedStore() {
  let ahead = 0
  const runtime = { ...systemRuntime, now: () => Date.now() + ahead }
  const store = createInMemoryStore({ concepts: harnessConcepts, runtime })
  return {
    store,
    advance: (ms: number) => {
      ahead += ms
    },
  }
}

describe('a zombie', () => {
  it('whose lease expired cannot overwrite the work of the next one, and its run is notified and recorded', async () => {
    const { store, advance } = skewedStore()
    const [asleep, told]: [(() => void)[], unknown[]] = [[], []]
    // The zombie never looks at its signal; it wakes up with a result in its hands.
    const zombie = world(
      {
        a: async (run) => {
          run.signal.addEventListener('abort', () => told.push(run.signal.reason))
          await new Promise<void>((resolve) => asleep.push(resolve))
          return { end: 'done', result: { by: 'zombie' } }
        },
      },
      { store },
    )
    const { planId, steps: ids } = await zombie.harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const reports: string[] = []
    await zombie.worker({ heartbeat: deafHeartbeat().heartbeat, onRun: ({ ended }) => reports.push(ended) })
    while (asleep.length === 0) await pause(1)
    advance(11_000)
    const other = world({ a: () => ({ end: 'done', result: { by: 'other' } }) }, { store })
    await other.worker()
    expect((await other.ended(planId)).status).toBe('done')
    for (const wake of asleep) wake()
    while (reports.length === 0) await pause(1)
    expect(reports).toEqual(['fenced'])
    expect(told).toMatchObject([{ code: 'FENCED' }])
    expect((await zombie.harness.step(ids['a'] ?? '')).payload).toMatchObject({
      result: { by: 'other' },
      attempt: 1,
      crashes: 1,
    })
    const { nodes } = await store.log.scan({ owner: 'ada', concepts: ['v1:harness:observation'] })
    expect(nodes.map(({ payload }) => payload['data'])).toMatchObject([{ fenced: true, attempt: 0 }])
  })

  it('cannot write even an observation once somebody else decided about its step', async () => {
    const codes: unknown[] = []
    const gate: (() => void)[] = []
    const { harness, worker, store } = world({
      a: async (run) => {
        await new Promise<void>((resolve) => gate.push(resolve))
        await run.observe({ kind: 'note', content: 'too late' }).catch((error) => codes.push(error.code))
        await run.startPlan({ key: 'c', goal: 'c', steps: [] }).catch((error) => codes.push(error.code))
        return { end: 'done' }
      },
    })
    await worker()
    const { steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [], b: ['a'] }) })
    while (gate.length === 0) await pause(1)
    await harness.skipStep(ids['a'] ?? '', { actor: 'ada', reason: 'not needed' })
    gate[0]?.()
    while (codes.length < 2) await pause(1)
    expect(codes).toEqual(['FENCED', 'FENCED'])
    expect((await harness.step(ids['a'] ?? '')).payload.result).toEqual({
      skipped: true,
      actor: 'ada',
      reason: 'not needed',
    })
    const { nodes } = await store.log.scan({ owner: 'ada', concepts: ['v1:harness:observation'] })
    expect(nodes.map(({ payload }) => payload['content'])).not.toContain('too late')
  })

  it('ends its runs before the lease does when renewals fail, and takes them over itself under a new session', async () => {
    const { harness, worker, ran, ended, store } = world({
      a: async (run) => (run.step.attempt === 0 ? untilAborted(run) : { end: 'done' }),
    })
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const reports: string[] = []
    const began = Date.now()
    await worker({
      leaseMs: 4000,
      heartbeat: deafHeartbeat().heartbeat,
      onRun: ({ ended: how }) => reports.push(how),
    })
    while (reports.length === 0) await pause(1)
    expect(Date.now() - began).toBeLessThan(4000)
    expect((await ended(planId)).status).toBe('done')
    expect(reports).toEqual(['left', 'done'])
    expect(ran).toEqual(['a', 'a'])
    expect(await store.work.sessions()).toHaveLength(1)
  })
})

describe('a lost worker', () => {
  it('costs an attempt and no retry; the next worker sweeps at its start', async () => {
    const { harness, worker, ended, store } = world()
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    await loseWorker(store)
    await worker()
    expect((await ended(planId)).status).toBe('done')
    expect((await harness.step(ids['a'] ?? '')).payload).toMatchObject({ attempt: 1, crashes: 1 })
  })

  it('is not sent a step for ever: what takes workers down is set aside', async () => {
    const { harness, worker, ended, store } = world()
    const retry = { maxFailures: 3, maxCrashes: 2, baseMs: 1, capMs: 1 }
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }, { retry }) })
    await loseWorker(store)
    const sweeper = await worker({ slots: 0 })
    expect((await harness.step(ids['a'] ?? '')).payload).toMatchObject({ status: 'ready', attempt: 1 })
    await sweeper.stop()
    await loseWorker(store)
    await worker({ slots: 0 })
    expect((await ended(planId)).payload.errorMessage).toContain('set aside: 2 workers were lost')
    expect((await harness.step(ids['a'] ?? '')).payload).toMatchObject({ status: 'failed', deadLetter: true })
  })

  it('is made good where it lives on and only the answer to its claim was lost', async () => {
    const inner = createInMemoryStore({ concepts: harnessConcepts })
    let isLost = false
    const take: NodeStore['work']['take'] = async (options) => {
      const heads = await inner.work.take(options)
      if (isLost || heads.length === 0) return heads
      isLost = true
      throw new Error('the line was cut')
    }
    const { harness, worker, ended, ran } = world({}, { store: { ...inner, work: { ...inner.work, take } } })
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    // Short, because it is noticed by the third renewal; where the machine is slower than that, the lease ends instead.
    await worker({ leaseMs: 300, pollMs: 86_400_000 })
    expect((await ended(planId)).status).toBe('done')
    expect(ran).toEqual(['a'])
  })

  it('leaves an effect that may have happened to a person, who says what became of it', async () => {
    for (const [value, status] of [
      ['done', 'done'],
      ['retry', 'done'],
      ['fail', 'failed'],
    ] as const) {
      const { harness, worker, ended, store, ran } = world()
      const { planId, steps: ids } = await harness.createPlan({
        goal: 'g',
        steps: steps({ a: [] }, { nature: 'effectful' }),
      })
      const a = ids['a'] ?? ''
      const session = (await store.work.openSession({ actor: 'lost', leaseMs: 60_000 })).id
      const { version } = await harness.startStep(a, session)
      const intent = { concept: 'v1:harness:step', id: a, payload: { intentAt: 1 }, mutation: 'intendHarnessStep' }
      await store.log.append([intent], { owner: 'ada', actor: 'lost', expects: { [a]: version } })
      await store.work.closeSession(session)
      await worker()
      while ((await harness.step(a)).status !== 'blocked') await pause(1)
      expect(ran).toEqual([])
      await harness.answer(a, { questionId: 'unknown-0', value, actor: 'ada' })
      expect((await ended(planId)).status).toBe(status)
      expect(ran).toEqual(value === 'retry' ? ['a'] : [])
    }
  })

  it('writes the intent of an effectful step before anything happens, under its fence', async () => {
    const seen: unknown[] = []
    const { harness, worker, ended, store } = world({
      a: async (run) => {
        seen.push((await store.log.latest(run.id, { owner: 'ada' }))?.payload['intentAt'])
        return { end: 'done' }
      },
    })
    await worker()
    const { planId, steps: ids } = await harness.createPlan({
      goal: 'g',
      steps: steps({ a: [] }, { nature: 'effectful' }),
    })
    expect((await ended(planId)).status).toBe('done')
    expect(seen).toEqual([expect.any(Number)])
    expect((await harness.step(ids['a'] ?? '')).payload.intentAt).toBeUndefined()
  })
})

describe('effectful steps one after the other', () => {
  const chained = steps({ a: [], b: [], c: [] }, { nature: 'effectful', onUnknown: 'fail' })

  it('write the intent with the claim where the end before it is flushed anyway, and by itself otherwise', async () => {
    const seen: unknown[] = []
    const look = async (run: StepRun) => {
      seen.push((await store.log.latest(run.id, { owner: 'ada' }))?.payload['intentAt'])
      return { end: 'done' as const }
    }
    const { harness, worker, ended, store } = world({ a: look, b: look, c: look })
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: chained })
    await worker({ slots: 1 })
    expect((await ended(planId)).status).toBe('done')
    expect(seen).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)])
    const mutations = async (key: string) =>
      (await store.log.history(ids[key] ?? '', { owner: 'ada' }))
        .map(({ provenanceMutation }) => provenanceMutation)
        .slice(2)
    const ofItself = ['startHarnessStep', 'intendHarnessStep', 'completeHarnessStep']
    expect([await mutations('a'), await mutations('b')]).toEqual([
      ofItself,
      ['startHarnessStep', 'completeHarnessStep'],
    ])
  })

  it('leave no doubt behind when the worker stops before they begin', async () => {
    const inner = createInMemoryStore({ concepts: harnessConcepts })
    const claimed: unknown[] = []
    const stops: Promise<void>[] = []
    const take: NodeStore['work']['take'] = async (options) => {
      const heads = await inner.work.take(options)
      if (options.durability === 'full' && heads.length > 0) {
        claimed.push(...heads.map(({ payload }) => [payload['title'], payload['intentAt']]))
        stops.push(one.stop())
      }
      return heads
    }
    const { harness, worker, ran } = world({}, { store: { ...inner, work: { ...inner.work, take } } })
    const { steps: ids } = await harness.createPlan({ goal: 'g', steps: chained })
    const one = await worker({ slots: 1 })
    while (stops.length === 0) await pause(1)
    await Promise.all(stops)
    expect(claimed).toEqual([['b', expect.any(Number)]])
    expect(ran).toEqual(['a'])
    const { status, payload } = await harness.step(ids['b'] ?? '')
    expect([status, payload.intentAt, payload.attempt, payload.failures]).toEqual(['ready', undefined, 1, undefined])
  })
})

describe('two workers', () => {
  it('run every step once between them', async () => {
    const store = createInMemoryStore({ concepts: harnessConcepts })
    const [one, two] = [world({}, { store }), world({}, { store })]
    await one.worker({ perPartition: 100 })
    await two.worker({ perPartition: 100 })
    const graph = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`s${i}`, i < 10 ? [] : [`s${i % 10}`]]))
    const harness = openHarness({ store, owner: 'ada', actor: 'test' })
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps(graph) })
    expect((await one.ended(planId)).payload.result).toEqual({ steps: { done: 60 } })
    expect([...one.ran, ...two.ran].toSorted()).toEqual(Object.keys(graph).toSorted())
  })

  it('run at most the allowed number of steps of one partition, both together', async () => {
    const store = createInMemoryStore({ concepts: harnessConcepts })
    let [running, most] = [0, 0]
    const busy = async () => {
      running += 1
      most = Math.max(most, running)
      await pause(5)
      running -= 1
      return { end: 'done' as const }
    }
    const graph = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`s${i}`, []]))
    const script = Object.fromEntries(Object.keys(graph).map((title) => [title, busy]))
    const [one, two] = [world(script, { store }), world(script, { store })]
    const { planId } = await one.harness.createPlan({ goal: 'g', steps: steps(graph), partition: 'p' })
    await Promise.all([one.worker({ perPartition: 3 }), two.worker({ perPartition: 3 })])
    expect((await one.ended(planId)).status).toBe('done')
    expect(most).toBe(3)
  })
})

/** Claims as a worker would, and is gone. */
async function loseWorker(store: NodeStore): Promise<void> {
  const { id } = await store.work.openSession({ actor: 'lost', leaseMs: 60_000 })
  const [head] = await store.work.take({
    session: id,
    owners: ['ada'],
    concepts: ['v1:harness:step'],
    actor: 'lost',
    k: 1,
  })
  if (head?.status !== 'running') throw new TypeError('there was nothing to claim')
  await store.work.closeSession(id)
}
