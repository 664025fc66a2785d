/** A plan, one that a step of it started, and agents with random scripts on the in-memory log, some of which are killed and go on. */
import { createInMemoryStore, seededRandom } from '@agentm/conformance/logs'
import type { Draft } from '@agentm/nodes'
import fc from 'fast-check'
import type { Model, Spend } from '@agentm/agent-loop'
import { nothing, oneCall, ReplyAccount } from '@agentm/agent-loop/internal'
import { VirtualTime } from '../../../tools/simulator/virtual-time.mjs'
import { type Runtime, systemRuntime } from '@agentm/agent-loop'
import { harnessConcepts, openHarness, type StepRun, type Usage } from '../src/index.ts'
import { Claim } from '../src/claim.ts'
import { asStep } from '../src/harness-context.ts'
import { startPlanDraft } from '../src/pure/plan-drafts.ts'
import { completeDraft, failDraft, retryDraft } from '../src/pure/step-drafts.ts'
import { stepRun } from '../src/step-run.ts'

const owner = 'ada'

/** One reply and the calls it asks for. */
interface Wave {
  readonly most: number
  readonly took: number
  /** In millionths of a dollar. */
  readonly tookMicros: number
  /** In millionths of a dollar for one token. */
  readonly price: number
  readonly ms: number
  /** Replies that break off before this one arrives. */
  readonly broken: readonly Broken[]
  readonly calls: readonly number[]
}

interface Broken {
  /** What the provider charges, in percent of the most that the reply may take; 0 if it refuses the request. */
  readonly percent: number
  /** Whether the model asks its provider again by itself, or leaves that to its caller. */
  readonly again: 'model' | 'caller'
}

interface Death {
  readonly at: number
  readonly goneFor: number
  /** The conversation is kept, and goes on. */
  readonly resumes: boolean
}

interface AgentScript {
  readonly waves: readonly Wave[]
  /** In the plan itself, or in one that a step of it started. */
  readonly inChild: boolean
  /** Each time, after so many milliseconds its worker is killed, and another one takes the step over later. */
  readonly deaths: readonly Death[]
}

export interface World {
  readonly budget: { readonly maxTokens: number; readonly maxToolCalls: number; readonly maxCostMicros?: number }
  readonly childBudget: { readonly maxToolCalls: number; readonly maxCostMicros?: number } | undefined
  readonly agents: readonly AgentScript[]
}

const wave = fc
  .record({
    most: fc.integer({ min: 1, max: 40 }),
    price: fc.integer({ min: 1, max: 50 }),
    // Not fc.double, whose values are nearly all so small that nobody would spend anything.
    percent: fc.integer({ min: 0, max: 100 }),
    ms: fc.integer({ min: 0, max: 300 }),
    calls: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 4 }),
    broken: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.array(
          fc.record({
            percent: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 })),
            again: fc.constantFrom('model' as const, 'caller' as const),
          }),
          { maxLength: 3 },
        ),
      },
    ),
  })
  .map(({ percent, ...rest }): Wave => {
    const took = Math.floor((rest.most * percent) / 100)
    return { ...rest, took, tookMicros: took * rest.price }
  })

const agentScript: fc.Arbitrary<AgentScript> = fc.record({
  waves: fc.array(wave, { minLength: 1, maxLength: 4 }),
  inChild: fc.boolean(),
  deaths: fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 600 }),
      goneFor: fc.integer({ min: 0, max: 2000 }),
      resumes: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
})

export const worlds: fc.Arbitrary<World> = fc.record({
  budget: fc.record({
    maxTokens: fc.integer({ min: 10, max: 400 }),
    maxToolCalls: fc.integer({ min: 1, max: 12 }),
    maxCostMicros: fc.integer({ min: 10, max: 4000 }),
  }),
  childBudget: fc.option(
    fc.record({
      maxToolCalls: fc.integer({ min: 1, max: 6 }),
      maxCostMicros: fc.integer({ min: 10, max: 3000 }),
    }),
    { nil: undefined },
  ),
  agents: fc.array(agentScript, { minLength: 2, maxLength: 4 }),
})

export interface Lived {
  readonly ended: boolean
  readonly plan: Usage
  readonly child: Usage
  readonly refusals: number
  /** Workers that were killed, and steps that were running at once. */
  readonly kills: number
  readonly agents: number
  /** Replies that broke off after the provider had begun them. */
  readonly broken: number
  /** What the provider charged, whether a worker lived to book it or not. */
  readonly chargedMicros: number
}

/** No wait of this length ends by itself: where it ends, somebody let it go on. */
const patienceMs = 20 * 60_000

export async function live({ budget, childBudget, agents }: World): Promise<Lived> {
  const company = new Company()
  const keys = agents.map((_, i) => `a${i}`)
  const [inPlan, inChild] = [false, true].map((is) => keys.filter((_, i) => agents[i]?.inChild === is))
  const { plan, child, ids } = await company.found({
    budget,
    childBudget,
    inPlan: inPlan ?? [],
    inChild: inChild ?? [],
  })
  const jobs = agents.map((script, i) => new Job(company, script, ids[keys[i] ?? ''] ?? ''))
  for (const job of jobs) void job.run().catch((error) => company.fail(error))
  const ended = await company.until(() => jobs.every(({ hasEnded }) => hasEnded))
  const refusals = jobs.filter(({ wasRefused }) => wasRefused).length
  const { harness, store } = company
  const { kills, broken, chargedMicros } = company
  const used = { plan: await harness.usage(plan), child: await harness.usage(child) }
  const lived = { ended, ...used, refusals, kills, broken, agents: agents.length, chargedMicros }
  await store.close()
  return lived
}

const step = (key: string) => ({ key, title: key, kind: 'x' })

/** A plan, one that a step of it started, and everybody's time. */
class Company {
  readonly time = new VirtualTime()
  kills = 0
  broken = 0
  chargedMicros = 0
  readonly #random = seededRandom(7)
  readonly runtime: Runtime = {
    ...systemRuntime,
    now: () => this.time.now,
    random: this.#random,
    newId: () => `n${Math.floor(this.#random() * 2 ** 48).toString(16)}`,
    sleep: async (ms, signal) => this.time.sleep(ms, signal),
  }
  readonly store = createInMemoryStore({ concepts: harnessConcepts, runtime: this.runtime })
  readonly harness = openHarness({ store: this.store, owner, actor: 'test', runtime: this.runtime })
  readonly #claims = new Map<string, Claim>()
  #failed: unknown

  async found(
    world: Pick<World, 'budget' | 'childBudget'> & { inPlan: readonly string[]; inChild: readonly string[] },
  ) {
    const { budget, childBudget, inPlan, inChild } = world
    const made = await this.harness.createPlan({ goal: 'g', steps: [step('parent'), ...inPlan.map(step)], budget })
    await this.append([startPlanDraft({ id: made.planId }, this.time.now)])
    await this.take()
    const child = await this.runOf(this.claim(made.steps['parent'] ?? '')).startPlan({
      key: 'c',
      goal: 'c',
      steps: inChild.map(step),
      ...(childBudget && { budget: childBudget }),
    })
    await this.take()
    return { plan: made.planId, child: child.planId, ids: { ...made.steps, ...child.steps } }
  }

  async append(drafts: readonly Draft[], expects: Readonly<Record<string, number>> = {}): Promise<void> {
    await this.store.log.append(drafts, { owner, actor: 'test', expects })
  }

  async take(): Promise<void> {
    const { id: session } = await this.store.work.openSession({ actor: 'test', leaseMs: 1e9 })
    const whose = { session, owners: [owner], concepts: ['v1:harness:step'], actor: 'test' }
    for (const head of await this.store.work.take({ ...whose, k: 100, perPartition: 100 }))
      this.#claims.set(head.id, new Claim({ store: this.store, owner, actor: 'test' }, asStep(head)))
  }

  claim(id: string): Claim {
    const claim = this.#claims.get(id)
    if (claim === undefined) throw new TypeError(`${id} is not claimed`)
    return claim
  }

  runOf(claim: Claim, runtime: Runtime = this.runtime): StepRun {
    return stepRun(claim, {
      kinds: new Map(),
      runtime,
      now: () => this.time.now,
      directoryOf: async () => process.cwd(),
      checks: {},
      onEnding: () => undefined,
      onError: () => undefined,
    })
  }

  fail(error: unknown): void {
    this.#failed ??= error
  }

  async until(done: () => boolean): Promise<boolean> {
    const ended = await this.time.run(() => this.#failed !== undefined || done(), this.time.now + patienceMs)
    if (this.#failed !== undefined) throw this.#failed
    return ended
  }
}

/** One step, whoever runs it. */
class Job {
  hasEnded = false
  wasRefused = false
  #deaths = 0
  readonly #company: Company
  readonly #script: AgentScript
  readonly #id: string
  #progress: Progress = { wave: 0, untold: nothing, isAsked: false }

  constructor(company: Company, script: AgentScript, id: string) {
    this.#company = company
    this.#script = script
    this.#id = id
  }

  async run(): Promise<void> {
    const { time, runtime } = this.#company
    const life = { isDead: false }
    const death = this.#script.deaths[this.#deaths]
    if (death !== undefined) time.after(death.at, () => this.#die(life, death))
    const mortal: Runtime = {
      ...runtime,
      async sleep(ms, signal) {
        await runtime.sleep(ms, signal)
        if (life.isDead) await forever()
      },
    }
    const claim = mortalClaim(this.#company.claim(this.#id), life)
    const charge: Charge = (micros, isBroken) => {
      this.#company.chargedMicros += micros
      if (isBroken) this.#company.broken += 1
    }
    if (!(await act(this.#company.runOf(claim, mortal), { ...this.#script, charge }, this.#progress)))
      this.wasRefused = true
    await claim.write([completeDraft(claim.step, { at: time.now })])
    this.hasEnded = true
  }

  #die(life: { isDead: boolean }, death: Death): void {
    if (this.hasEnded) return
    life.isDead = true
    this.#deaths += 1
    this.#company.kills += 1
    const takesOver = () => void this.#takeOver(death).catch((error) => this.#company.fail(error))
    this.#company.time.after(death.goneFor, takesOver)
  }

  /** As recovery does, by the version it saw. */
  async #takeOver({ resumes }: Death): Promise<void> {
    const { store, time } = this.#company
    const head = await store.log.latest(this.#id, { owner })
    if (head === undefined) throw new TypeError(`${this.#id} is there`)
    const failure = { cause: 'vanished' as const, message: 'its worker is gone' }
    const drafts = [failDraft(head, { failure, at: time.now }), retryDraft(asStep(head))]
    await this.#company.append(drafts, { [this.#id]: head.version })
    await this.#company.take()
    if (!resumes) this.#progress = { wave: 0, untold: nothing, isAsked: false }
    await this.run()
  }
}

/** What the log would tell a run that takes the step over. */
interface Progress {
  wave: number
  untold: Spend
  /** The reply of this wave is there, and its calls are to be made. */
  isAsked: boolean
}

type Charge = (micros: number, isBroken: boolean) => void

/** As the inner loop does. False where something was refused. */
async function act(
  run: StepRun,
  { waves, charge }: AgentScript & { readonly charge: Charge },
  from: Progress,
): Promise<boolean> {
  const { runtime } = run
  await run.budget.takeOver(from.untold)
  for (; from.wave < waves.length; from.wave++) {
    const now = waves[from.wave]
    if (now === undefined) throw new TypeError('there is such a wave')
    const { took, tookMicros, calls } = now
    if (!from.isAsked) {
      if (!(await replied(run, now, charge))) return false
      await run.keep([noted(run, 'a turn')])
      from.untold = { ...nothing, tokens: took, costMicros: tookMicros }
      from.isAsked = true
    }
    const made = await Promise.all(
      calls.map(async (duration) => {
        const call = await run.budget.reserve(oneCall)
        if (!call.granted) return false
        await runtime.sleep(duration)
        await call.settle(oneCall)
        return true
      }),
    )
    for (const isMade of [...made.filter(Boolean), false]) {
      if (!isMade && from.untold.tokens === 0) continue
      const { tokens, costMicros } = from.untold
      await run.observe({ kind: 'note', content: 'told', data: { tokens, costMicros, toolCalls: isMade ? 1 : 0 } })
      from.untold = nothing
    }
    from.isAsked = false
    if (made.includes(false)) return false
  }
  return true
}

/** False if the budget allows no reply, or no other one after those that broke off. */
async function replied(run: StepRun, now: Wave, charge: Charge): Promise<boolean> {
  const account = new ReplyAccount({
    budget: run.budget,
    most: { inputTokens: now.most, outputTokens: 0 },
    price: ({ inputTokens }) => inputTokens * now.price,
    before: nothing,
    onSpent: () => undefined,
    onBroken: async (why) => void (await run.observe({ kind: 'note', content: why })),
  })
  const model = brittleModel(run, now, charge)
  const request = { messages: [], tools: [], signal: run.signal, maxOutputTokens: 0 }
  let isThere = false
  for (let attempt = await account.begin(); attempt !== undefined && !isThere;) {
    const reply = await attempt.ask(model, request).catch(() => undefined)
    isThere = reply !== undefined
    if (reply !== undefined) await attempt.received({ text: '', calls: [], usage: reply.usage })
    else attempt = account.limit === undefined ? await account.begin() : undefined
  }
  await account.close({ aborted: false })
  return isThere
}

/** A provider that charges for each reply as it begins, and breaks some of them off. */
function brittleModel(
  { runtime }: StepRun,
  { took, tookMicros, most, price, ms, broken }: Wave,
  charge: Charge,
): Model {
  const open = [...broken]
  return {
    async respond({ mayAskAgain }) {
      for (let next = open.shift(); next !== undefined; next = open.shift()) {
        const { percent, again } = next
        charge(Math.floor((most * percent) / 100) * price, percent > 0)
        await runtime.sleep(ms)
        const error = percent === 0 ? Object.assign(new Error('overloaded'), { status: 529 }) : new Error('cut off')
        if (again === 'caller' || (await mayAskAgain?.(error)) === false) throw error
      }
      charge(tookMicros, false)
      await runtime.sleep(ms)
      return { usage: { inputTokens: took, outputTokens: 0, costMicros: tookMicros } }
    },
  }
}

function noted({ planId, id }: StepRun, content: string) {
  return {
    concept: 'v1:harness:observation',
    payload: { planId, stepId: id, kind: 'note', content },
    mutation: 'recordHarnessObservation',
  }
}

/** Of a process that may be gone: from then on nothing it asks comes back, and nothing it writes is written. */
function mortalClaim(claim: Claim, life: { readonly isDead: boolean }): Claim {
  const { store } = claim.context
  const log = new Proxy(store.log, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...args: readonly unknown[]): Promise<unknown> => {
        if (life.isDead) await forever()
        try {
          return await Reflect.apply(member, target, args)
        } finally {
          if (life.isDead) await forever()
        }
      }
    },
  })
  return new Claim({ ...claim.context, store: { ...store, log } }, claim.step)
}

async function forever(): Promise<never> {
  return new Promise(() => undefined)
}
