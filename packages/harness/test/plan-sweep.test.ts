import { createInMemoryStore } from '@agentm/conformance/logs'
import type { Draft, NodeStore } from '@agentm/nodes'
import { describe, expect, it } from 'vitest'
import { harnessConcepts, openHarness } from '../src/index.ts'
import { messageDraft } from '../src/functions/mailbox.ts'
import { PlanKeeper } from '../src/plan-keeper.ts'
import { PlanSweep, type SweepSettings } from '../src/plan-sweep.ts'
import { steps } from '../../../tools/harness-in-process.mjs'

const owner = 'ada'
const [planName, stepName] = ['v1:harness:plan', 'v1:harness:step']
const hourMs = 3_600_000

/** A store of which the test knows every read of plans, every look, and the time, which passes with each page. */
function world(options: Partial<SweepSettings> = {}, faults: { scans?: number; looks?: string[] } = {}) {
  const clock = { now: 1_000_000 }
  const store = createInMemoryStore({ concepts: harnessConcepts, runtime: { now: () => clock.now } })
  const [pages, looks]: [number[], string[]] = [[], []]
  const log: NodeStore['log'] = {
    ...store.log,
    async scan(query: never) {
      const page = await store.log.scan(query)
      const { concepts, status } = query as { concepts?: string[]; status?: unknown }
      if (concepts?.includes(planName) !== true || typeof status !== 'string') return page as never
      pages.push(page.nodes.length)
      if (pages.length === faults.scans) throw new Error('the line broke')
      return page as never
    },
  }
  const keeper = new PlanKeeper({ store: { ...store, log }, owners: [owner], actor: 'keeper', now: () => clock.now })
  const look = keeper.lookAtWhole.bind(keeper)
  keeper.lookAtWhole = async (whose, planId) => {
    looks.push(planId)
    const fault = faults.looks?.indexOf(planId) ?? -1
    if (fault >= 0) {
      faults.looks?.splice(fault, 1)
      throw new Error('the disk is full')
    }
    return look(whose, planId)
  }
  const pause = async () => void (clock.now += 1)
  const runtime = { now: () => clock.now }
  const sweep = new PlanSweep({ store: { log }, owners: [owner], keeper, runtime, pause, plansAtOnce: 3, ...options })
  const harness = openHarness({ store, owner, actor: 'test' })
  return { store, clock, sweep, harness, pages, looks, ...scribe(store, clock) }
}

const change =
  (concept: string) =>
  (id: string, payload: Draft['payload'], unset: readonly string[] = []): Draft => ({
    concept,
    id,
    payload,
    unset,
    mutation: 'test',
    update: true,
  })

/** Writes plans in the state in which a process that died can leave them. */
function scribe(store: NodeStore, clock: { readonly now: number }) {
  const harness = openHarness({ store, owner, actor: 'test' })
  const append = async (drafts: readonly Draft[]) => store.log.append(drafts, { owner, actor: 'test' })
  const [ofPlan, ofStep] = [change(planName), change(stepName)]
  const running = async (id: string) => {
    const session = await store.work.openSession({ actor: 'test', leaseMs: hourMs })
    return ofStep(id, { status: 'running', session: session.id })
  }
  const asleepFor = (id: string, ms = hourMs) =>
    ofStep(id, { status: 'blocked', waitsFor: { for: 'time', until: clock.now + ms } }, ['session'])
  /** A plan that has begun. Its steps are ready or pending. */
  const begun = async (graph: Readonly<Record<string, readonly string[]>>, more: object = {}) => {
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps(graph), ...more })
    await append([ofPlan(planId, { status: 'running' })])
    return { planId, id: (key: string) => ids[key] ?? '' }
  }
  const sleeper = async (ms = hourMs) => {
    const { planId, id } = await begun({ a: [] })
    await append([await running(id('a')), asleepFor(id('a'), ms)])
    return planId
  }
  const sleepers = async (count: number) => {
    for (let i = 0; i < count; i++) await sleeper()
  }
  return { append, ofPlan, ofStep, running, asleepFor, begun, sleeper, sleepers }
}

type World = ReturnType<typeof world>

interface Left {
  readonly id: string
  readonly becomes: string
  /** The last write of the process that dies. */
  readonly last: readonly Draft[]
}

/** The states that the sweep exists for: each is left by a process that dies after its last write, and nothing else finds it. */
const states: Readonly<Record<string, (w: World) => Promise<Left>>> = {
  'a step whose dependencies are done, and that nobody made ready': async ({ begun, append, running, ofStep }) => {
    const { id } = await begun({ a: [], b: ['a'] })
    await append([await running(id('a'))])
    return { id: id('b'), becomes: 'ready', last: [ofStep(id('a'), { status: 'done' })] }
  },
  'a plan whose steps are all done': async ({ begun, append, running, ofStep }) => {
    const { planId, id } = await begun({ a: [] })
    await append([await running(id('a'))])
    return { id: planId, becomes: 'done', last: [ofStep(id('a'), { status: 'done' })] }
  },
  'a plan that cannot be finished any more': async ({ begun, append, running, ofStep }) => {
    const { planId, id } = await begun({ a: [], b: ['a'] })
    await append([await running(id('a'))])
    return { id: planId, becomes: 'failed', last: [ofStep(id('a'), { status: 'failed' })] }
  },
  'a plan whose first step has begun, and that is still open': async ({ harness, running, asleepFor }) => {
    const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: steps({ a: [] }) })
    const id = ids['a'] ?? ''
    return { id: planId, becomes: 'running', last: [await running(id), asleepFor(id)] }
  },
  'a step that waits for a resumption that has happened': async ({ begun, append, running, ofPlan, ofStep }) => {
    const { planId, id } = await begun({ a: [] })
    const waitsFor = { for: 'resume' }
    await append([ofPlan(planId, { paused: true }), await running(id('a'))])
    await append([ofStep(id('a'), { status: 'blocked', waitsFor }, ['session'])])
    return { id: id('a'), becomes: 'ready', last: [ofPlan(planId, { paused: false })] }
  },
  'a step that waits for a plan that has ended': async ({ begun, append, running, ofStep, ofPlan }) => {
    const { planId, id } = await begun({ a: [] })
    await append([await running(id('a'))])
    const child = await begun({ b: [] }, { startedBy: { planId, stepId: id('a') } })
    const waitsFor = { for: 'plan', planId: child.planId }
    await append([ofStep(id('a'), { status: 'blocked', waitsFor }, ['session'])])
    return { id: id('a'), becomes: 'ready', last: [ofPlan(child.planId, { status: 'done' })] }
  },
  'a plan whose starting step has ended': async ({ begun, append, running, ofStep, asleepFor }) => {
    const { planId, id } = await begun({ a: [], b: [] })
    await append([await running(id('a')), await running(id('b')), asleepFor(id('b'))])
    const child = await begun({ c: [] }, { startedBy: { planId, stepId: id('a') } })
    return { id: child.planId, becomes: 'cancelled', last: [ofStep(id('a'), { status: 'done' })] }
  },
  'a plan whose starting plan has ended': async ({ begun, append, running, ofPlan }) => {
    const { planId, id } = await begun({ a: [] })
    await append([await running(id('a'))])
    const child = await begun({ c: [] }, { startedBy: { planId, stepId: id('a') } })
    return { id: child.planId, becomes: 'cancelled', last: [ofPlan(planId, { status: 'cancelled' })] }
  },
  'a plan that used up a budget, and of which nothing runs any more': async ({ sleeper, ofPlan }) => {
    const id = await sleeper()
    return { id, becomes: 'failed', last: [ofPlan(id, { halting: { limit: 'max_steps', used: 2, allowed: 1 } })] }
  },
  'a function that waits and has not heard a message': async ({ begun, append, running, ofStep }) => {
    const { planId, id } = await begun({ a: [] })
    const stepId = id('a')
    await append([await running(stepId)])
    await append([ofStep(stepId, { status: 'blocked', waitsFor: { for: 'function', heard: 0 } }, ['session'])])
    return { id: stepId, becomes: 'ready', last: [messageDraft({ planId, stepId }, { say: 'signal', name: 'go' })] }
  },
  'a step whose worker is gone': async ({ begun, ofStep }) => {
    const { id } = await begun({ a: [] })
    // It may have happened, so a person is asked.
    const begins = { status: 'running', session: 'gone', nature: 'effectful', intentAt: 1 }
    return { id: id('a'), becomes: 'blocked', last: [ofStep(id('a'), begins)] }
  },
}
const statusOf = async ({ store }: World, id: string) => (await store.log.latest(id, { owner }))?.status

describe.each(Object.entries(states))('%s', (_, leave) => {
  it('is found by the first pass, among plans that sleep', async () => {
    const w = world()
    await w.sleepers(4)
    const { id, becomes, last } = await leave(w)
    await w.append(last)
    await w.sleepers(4)
    await w.sweep.pass()
    expect(await statusOf(w, id)).toBe(becomes)
  })

  it('is found by a later pass, which reads only what has changed', async () => {
    const w = world()
    await w.sleepers(8)
    const { id, becomes, last } = await leave(w)
    await w.sweep.pass()
    expect(await statusOf(w, id)).not.toBe(becomes)
    w.pages.length = 0
    const after = await w.store.log.position()
    await w.append(last)
    await noteAfter(w, after)
    await w.sweep.pass()
    expect(await statusOf(w, id)).toBe(becomes)
    expect(w.pages).toEqual([])
  })
})

describe('a sweep', () => {
  it('looks at none of the plans that sleep, and reads them page by page', async () => {
    const w = world()
    await w.sleepers(7)
    await w.sweep.pass()
    expect(w.looks).toEqual([])
    expect(w.pages.every((size) => size <= 3)).toBe(true)
    expect(w.pages.reduce((sum, size) => sum + size, 0)).toBe(7)
  })

  it('goes over all open plans again once that took little of the time', async () => {
    const w = world()
    await w.sleepers(7)
    await w.sweep.pass()
    const read = w.pages.length
    await w.sweep.pass()
    expect(w.pages).toHaveLength(read)
    w.clock.now += 200 * read
    await w.sweep.pass()
    expect(w.pages).toHaveLength(2 * read)
  })

  it('goes over all open plans again if more have changed than it remembers', async () => {
    const w = world({ rememberedPlans: 3 })
    await w.sweep.pass()
    const after = await w.store.log.position()
    const ids = await finished(w, 5)
    await noteAfter(w, after)
    await w.sweep.pass()
    expect(await Promise.all(ids.map((id) => statusOf(w, id)))).toEqual(Array(5).fill('done'))
  })

  it('continues after an error where it stopped', async () => {
    const faults = { scans: 3 }
    const w = world({}, faults)
    await w.sleepers(7)
    await expect(w.sweep.pass()).rejects.toThrow('the line broke')
    await w.sweep.pass()
    // The page that failed was read again; those before it were not.
    expect(w.pages).toEqual([0, 3, 3, 3, 1])
  })

  it('is not stopped by a plan that cannot be looked at, and comes back to it', async () => {
    const looks: string[] = []
    const w = world({}, { looks })
    const ids = await finished(w, 7)
    looks.push(ids[1] ?? '')
    await expect(w.sweep.pass()).rejects.toThrow('the disk is full')
    await w.sweep.pass()
    expect(await Promise.all(ids.map((id) => statusOf(w, id)))).toEqual(Array(7).fill('done'))
  })

  it('looks at each plan of a page by itself if their steps are too many to be read at once', async () => {
    const w = world()
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`s${i}`, []]))
    for (let i = 0; i < 3; i++) await w.begun(many)
    await w.sweep.pass()
    expect(w.looks).toHaveLength(3)
  })
})

/** Plans whose steps are all done, and that nobody has ended. */
async function finished(w: World, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { planId, id } = await w.begun({ a: [] })
    await w.append([await w.running(id('a')), w.ofStep(id('a'), { status: 'done' })])
    ids.push(planId)
  }
  return ids
}

/** What the feed tells a worker. */
async function noteAfter({ store, sweep }: World, after: number) {
  const end = new AbortController()
  const last = await store.log.position()
  const concepts = [planName, stepName, 'v1:harness:mailbox']
  for await (const event of store.log.feed({ owner, after, concepts, signal: end.signal })) {
    sweep.note(event)
    if (event.node.seq === last) break
  }
}
