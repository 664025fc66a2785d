/**
 * Random commands against a small model: which claims are current, which steps are done, whether the plan is paused or
 * over. The model says of every command whether it must be let through; the store is looked at after each. Any store will
 * do that takes its clock from outside.
 */
import { isNodesError, type NodeStore } from '@agentm/nodes'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { type Harness, isHarnessError, openHarness } from '../src/index.ts'
import { PlanKeeper } from '../src/plan-keeper.ts'
import { PlanSweep } from '../src/plan-sweep.ts'
import { steps } from '../../../tools/harness-in-process.mjs'

const owner = 'ada'
const leaseMs = 10_000
const retry = { maxFailures: 2, maxCrashes: 3, baseMs: 1000, capMs: 4000 }

/** An empty store that holds plans, by this clock. */
export type OpenStore = (now: () => number) => Promise<NodeStore>

type Command =
  | { readonly do: 'take' | 'renew' | 'keep' | 'cancel' | 'pause' | 'resume' }
  | { readonly do: 'complete' | 'fail' | 'ask' | 'answer'; readonly nth: number }
  | { readonly do: 'pass'; readonly ms: number }

const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 24, arbitrary: fc.record({ do: fc.constantFrom('take' as const, 'keep' as const, 'renew' as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cancel' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('complete' as const, 'fail' as const, 'ask' as const, 'answer' as const),
      nth: fc.nat(9),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: 1, max: 6000 }), fc.constant(11_000)),
    }),
  },
)

/** Each step with the earlier ones it depends on. */
const graphs = fc
  .integer({ min: 1, max: 5 })
  .chain((size) =>
    fc
      .tuple(...Array.from({ length: size }, (_, i) => fc.subarray(Array.from({ length: i }, (__, j) => `s${j}`))))
      .map((edges) => Object.fromEntries(edges.map((dependsOn, i) => [`s${i}`, dependsOn]))),
  )

interface Claimed {
  readonly id: string
  readonly fence: number
  readonly session: string
}

class PlanModel {
  readonly #store: NodeStore
  readonly #harness: Harness
  readonly #keeper: PlanKeeper
  readonly #sweep: PlanSweep
  readonly #planId: string
  readonly #clock: { now: number }
  /** Every claim that was ever made; `#current` has those that still count. */
  readonly #claims: Claimed[] = []
  readonly #current = new Map<string, Claimed>()
  readonly #asked = new Set<string>()
  readonly #done = new Set<string>()
  #session: string | undefined
  #leaseUntil = 0
  #paused = false
  #over = false

  static async create(graph: Readonly<Record<string, readonly string[]>>, open: OpenStore): Promise<PlanModel> {
    const clock = { now: 1_000_000 }
    const store = await open(() => clock.now)
    const harness = openHarness({ store, owner, actor: 'test' })
    const { planId } = await harness.createPlan({ goal: 'g', steps: steps(graph, { retry }) })
    return new PlanModel(store, harness, { planId, clock })
  }

  constructor(store: NodeStore, harness: Harness, { planId, clock }: { planId: string; clock: { now: number } }) {
    this.#store = store
    this.#harness = harness
    this.#planId = planId
    this.#clock = clock
    this.#keeper = new PlanKeeper({ store, owners: [owner], actor: 'keeper', now: () => clock.now })
    this.#sweep = new PlanSweep({ store, owners: [owner], keeper: this.#keeper, runtime: { now: () => clock.now } })
  }

  async perform(command: Command): Promise<void> {
    switch (command.do) {
      case 'take':
        await this.#take()
        break
      case 'renew':
        await this.#renew()
        break
      case 'keep':
        await this.#keep()
        break
      case 'pass':
        this.#clock.now += command.ms
        break
      case 'cancel':
        await this.#harness.cancelPlan(this.#planId, { reason: 'test' })
        this.#end()
        break
      case 'pause':
      case 'resume':
        await this.#pause(command.do === 'pause')
        break
      case 'answer':
        await this.#answer(command.nth)
        break
      default:
        await this.#endClaim(command.do, command.nth)
    }
    await this.#check()
  }

  async close(): Promise<void> {
    await this.#store.close()
  }

  /** Whatever happened before, the plan comes to its end. */
  async finish(): Promise<void> {
    if (!this.#over && this.#paused) await this.#pause(false)
    for (let round = 0; round < 200 && !this.#over; round++) {
      this.#clock.now += 500
      await this.#renew()
      await this.#keep()
      await this.#take()
      for (const id of this.#asked) await this.#answerId(id)
      for (const claimed of this.#current.values()) await this.#try(claimed, 'complete')
      await this.#check()
    }
    const { nodes } = await this.#stepHeads()
    const { status } = await this.#harness.plan(this.#planId)
    assert.ok(['done', 'failed', 'cancelled'].includes(status ?? ''))
    const allDone = nodes.every((head) => head.status === 'done')
    // Cancelled in time or not, a plan may have had all its steps done.
    if (status !== 'cancelled') assert.equal(status === 'done', allDone)
  }

  async #take(): Promise<void> {
    const session = await this.#liveSession()
    const before = await this.#stepHeads()
    const ready = before.nodes.filter(({ status }) => status === 'ready').map(({ id }) => id)
    const taken = await this.#store.work.take({
      session,
      owners: [owner],
      concepts: ['v1:harness:step'],
      actor: 'test',
      k: 1,
      perPartition: 99,
    })
    assert.equal(taken.length, this.#paused || this.#over || ready.length === 0 ? 0 : 1)
    for (const { id, version } of taken) {
      assert.ok(ready.includes(id))
      const claimed = { id, fence: version, session }
      this.#claims.push(claimed)
      this.#current.set(id, claimed)
    }
  }

  async #liveSession(): Promise<string> {
    if (this.#session === undefined || this.#leaseUntil <= this.#clock.now) {
      this.#session = (await this.#store.work.openSession({ actor: 'test', leaseMs })).id
      this.#leaseUntil = this.#clock.now + leaseMs
    }
    return this.#session
  }

  async #renew(): Promise<void> {
    if (this.#session === undefined) return
    const alive = this.#leaseUntil > this.#clock.now
    const renewal = await this.#store.work.renew(this.#session, { leaseMs })
    assert.equal(renewal !== undefined, alive)
    if (alive) this.#leaseUntil = this.#clock.now + leaseMs
  }

  async #keep(): Promise<void> {
    await this.#sweep.pass()
    await this.#keeper.attend()
    await this.#sweep.pass()
    for (const [id, { session }] of this.#current)
      if (session !== this.#session || this.#leaseUntil <= this.#clock.now) this.#current.delete(id)
    const { status } = await this.#harness.plan(this.#planId)
    if (status !== 'open' && status !== 'running') this.#end()
  }

  async #endClaim(how: 'complete' | 'fail' | 'ask', nth: number): Promise<void> {
    const claimed = this.#claims[nth % Math.max(1, this.#claims.length)]
    if (claimed !== undefined) await this.#try(claimed, how)
  }

  async #try(claimed: Claimed, how: 'complete' | 'fail' | 'ask'): Promise<void> {
    const { id, fence } = claimed
    const isCurrent = this.#current.get(id) === claimed
    const accepted = await isAccepted(
      how === 'complete'
        ? this.#harness.completeStep(id, { fence })
        : how === 'fail'
          ? this.#harness.failStep(id, { fence, failure: { cause: 'step', message: 'test' } })
          : this.#harness.askQuestion(id, {
              fence,
              question: { id: 'q', text: 'yes?', deadline: this.#clock.now + 5000, default: 'no' },
            }),
    )
    assert.equal(accepted, isCurrent)
    if (!accepted) return
    this.#current.delete(id)
    if (how === 'complete') this.#done.add(id)
    if (how === 'ask') this.#asked.add(id)
  }

  async #answer(nth: number): Promise<void> {
    const asked = [...this.#asked]
    const id = asked[nth % Math.max(1, asked.length)]
    if (id !== undefined) await this.#answerId(id)
  }

  /** The first answer wins, be it the default of a passed deadline. */
  async #answerId(id: string): Promise<void> {
    const { payload, status } = await this.#harness.step(id)
    const open =
      status === 'blocked' &&
      payload.waitsFor?.for === 'answer' &&
      (payload.waitsFor.question.deadline ?? 0) > this.#clock.now
    const earlier = payload.answers?.['q']
    const attempt = this.#harness.answer(id, { questionId: 'q', value: 'yes' })
    if (earlier !== undefined) assert.deepEqual(await attempt, { accepted: false, answer: earlier })
    else assert.equal(await isAccepted(attempt), open && !this.#over)
  }

  async #pause(paused: boolean): Promise<void> {
    const call = paused ? this.#harness.pausePlan(this.#planId) : this.#harness.resumePlan(this.#planId)
    assert.equal(await isAccepted(call), !this.#over)
    if (!this.#over) this.#paused = paused
  }

  #end(): void {
    this.#over = true
    this.#current.clear()
  }

  async #stepHeads() {
    return this.#store.log.scan({ owner, concepts: ['v1:harness:step'] })
  }

  async #check(): Promise<void> {
    const { nodes } = await this.#stepHeads()
    const status = new Map(nodes.map((head) => [head.id, head.status]))
    for (const { id, status: is, payload, wakeAt } of nodes) {
      if (this.#done.has(id)) assert.equal(is, 'done')
      if (is === 'running') for (const other of dependenciesOf(payload)) assert.equal(status.get(other), 'done')
      if (this.#over) assert.deepEqual([is === 'running', wakeAt], [false, undefined])
    }
    for (const { id } of this.#current.values()) assert.equal(status.get(id), 'running')
  }
}

function dependenciesOf(payload: Readonly<Record<string, unknown>>): readonly string[] {
  const { dependsOn } = payload
  return Array.isArray(dependsOn) ? dependsOn.filter((id): id is string => typeof id === 'string') : []
}

/** False where the harness or the store refused; any other error is one. */
async function isAccepted(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt
    return true
  } catch (error) {
    if (isHarnessError(error) || isNodesError(error)) return false
    throw error
  }
}

/** Random plans, random commands: the store lets through what the model says, and nothing else. */
export async function holdToModel(open: OpenStore, { runs }: { readonly runs: number }): Promise<void> {
  await fc.assert(
    fc.asyncProperty(graphs, fc.array(commands, { minLength: 10, maxLength: 60 }), async (graph, script) => {
      const model = await PlanModel.create(graph, open)
      try {
        for (const command of script) await model.perform(command)
        await model.finish()
      } finally {
        await model.close()
      }
    }),
    { numRuns: runs },
  )
}
