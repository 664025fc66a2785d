/** Claims what is ready and runs it, as much at once as this process may; what follows from an end is left to the keeper. */
import { type Durability, type Head, isNodesError, type NodeStore } from '@agentm/nodes'
import { Claim } from './claim.ts'
import { asPlan, asStep } from './harness-context.ts'
import { isWritten } from './perform-actions.ts'
import type { PlanKeeper } from './plan-keeper.ts'
import type { PlanScope } from './plan-scope.ts'
import { drainDraft, startPlanDraft } from './pure/plan-drafts.ts'
import { blockDraft } from './pure/step-drafts.ts'
import { runClaim, type RunReport } from './run-claim.ts'
import { ShutdownSignal } from './run-endings.ts'
import type { Runtime } from './runtime.ts'
import type { SessionKeeper } from './session-keeper.ts'
import { step as stepConcept } from './step.ts'
import type { StepKind } from './step-kind.ts'
import { type ChainOverrun, findChainOverrun } from './step-run.ts'

export interface DispatcherSettings {
  readonly store: NodeStore
  readonly owners: readonly string[]
  readonly actor: string
  readonly kinds: readonly StepKind[]
  /** The plans whose steps are claimed; all, where there is none. */
  readonly scope: PlanScope | undefined
  readonly slots: number
  readonly perPartition: number
  readonly runtime: Runtime
  readonly sessions: SessionKeeper
  readonly keeper: PlanKeeper
  /** A slot is free, and something may be ready. */
  readonly onFree: () => void
  /** A step failed or waits: a timer may be new. */
  readonly onTimer: () => void
  readonly onRun: (report: RunReport) => void
  readonly onError: (error: unknown) => void
}

export class Dispatcher {
  readonly #settings: DispatcherSettings
  readonly #kinds: ReadonlyMap<string, StepKind>
  readonly #runs = new Set<Promise<void>>()
  /** Runs that are over but for the write that says so. They hold no slot: the next claim goes into the same commit. */
  readonly #ending = new Map<Claim, Durability>()
  /** Plans that have begun, and whether a budget bounds them. */
  readonly #startedPlans = new Map<string, boolean>()
  #stopping = false

  constructor(settings: DispatcherSettings) {
    this.#settings = settings
    this.#kinds = new Map(settings.kinds.map((kind) => [kind.name, kind]))
  }

  get isBusy(): boolean {
    return this.#runs.size > 0
  }

  /** Until no slot is free, or nothing is left to claim. */
  async dispatch(): Promise<void> {
    while (!this.#stopping && this.#free > 0) {
      const claims = await this.#take(this.#free)
      if (claims.length === 0) return
      for (const claim of claims) this.#run(claim)
    }
  }

  /** Claims nothing more from now on. */
  stop(): void {
    this.#stopping = true
  }

  async settled(): Promise<void> {
    await Promise.all(this.#runs)
  }

  forgetPlan(planId: string): void {
    this.#startedPlans.delete(planId)
  }

  get #free(): number {
    const { slots, sessions } = this.#settings
    // A store that writes slower than steps run must not gather ends without limit.
    return Math.min(slots - sessions.claimed + this.#ending.size, 2 * slots - sessions.claimed)
  }

  async #take(k: number): Promise<readonly Claim[]> {
    const { sessions, keeper } = this.#settings
    const session = await sessions.session()
    if (!sessions.isTrusted) return []
    const heads = await this.#takeAs(session, k)
    return heads.map((head) => {
      const claim = new Claim(keeper.contextOf(head.owner), asStep(head))
      sessions.add(claim)
      return claim
    })
  }

  async #takeAs(session: string, k: number): Promise<readonly Head[]> {
    const { store, sessions, owners, actor, perPartition, scope } = this.#settings
    // What ends now is flushed; claims that share its commit are too, and say at once what would need another flush.
    const durability = [...this.#ending.values()].includes('full') ? 'full' : 'normal'
    const whose = { session, owners, actor, concepts: [stepConcept.name], ...(scope && { parents: scope.ids }) }
    try {
      return await store.work.take({ ...whose, kinds: [...this.#kinds.keys()], k, perPartition, durability })
    } catch (error) {
      if (!isNodesError(error, 'SESSION_LOST')) throw error
      await sessions.forget(session)
      return []
    }
  }

  #run(claim: Claim): void {
    const { sessions, onFree, onError } = this.#settings
    if (this.#stopping) claim.end(new ShutdownSignal())
    const run = this.#runToEnd(claim).catch(onError)
    this.#runs.add(run)
    void run.finally(() => {
      this.#runs.delete(run)
      this.#ending.delete(claim)
      sessions.remove(claim)
      onFree()
    })
  }

  async #runToEnd(claim: Claim): Promise<void> {
    if (!(await this.#mayStart(claim))) return
    const { runtime, sessions, slots, onFree, onTimer, onRun } = this.#settings
    const report = await runClaim(claim, {
      kinds: this.#kinds,
      runtime,
      now: () => sessions.now(),
      onEnding: (durability) => {
        this.#ending.set(claim, durability)
        onFree()
      },
      crowd: 2 * slots,
    })
    this.#ending.delete(claim)
    sessions.remove(claim)
    onRun(report)
    onFree()
    if (report.ended === 'failed' || report.ended === 'blocked') onTimer()
    await this.#lookBehind(report)
  }

  async #lookBehind({ claim: { step }, ended, promoted, behind }: RunReport): Promise<void> {
    if (ended !== 'done' && ended !== 'failed') return
    const { sessions, keeper } = this.#settings
    const { planId } = step.payload
    const siblings = sessions.claims.some((other) => other.step.payload.planId === planId && !this.#ending.has(other))
    const inFlight = promoted > 0 || siblings
    if (behind || !inFlight) await keeper.lookBehind(step.owner, { planId, stepId: step.id, inFlight })
  }

  /** The plan has begun, and its budgets allow this start; where they do not, the plan is halted with all that runs. */
  async #mayStart(claim: Claim): Promise<boolean> {
    const now = this.#settings.sessions.now()
    if (!(await this.#startPlan(claim, now))) return true
    const overrun = await findChainOverrun(claim, { now, start: true, runtime: this.#settings.runtime })
    if (overrun === undefined) return true
    await this.#refuseStart(claim, overrun)
    return false
  }

  /** The step goes back as it was, and its plan ends: at once, or once what was started before it has ended. */
  async #refuseStart({ step, context }: Claim, { plan, ...overrun }: ChainOverrun): Promise<void> {
    const expects = { [step.id]: step.version, [plan.id]: plan.version }
    await isWritten(context, [blockDraft(step, { for: 'resume' }), drainDraft(plan, overrun)], expects)
    await this.#settings.keeper.lookAtWhole(step.owner, plan.id)
  }

  /** Whether a budget has to be asked: the plan's own, or one above it. Neither changes once the plan is written. */
  async #startPlan({ step, context }: Claim, now: number): Promise<boolean> {
    const { planId } = step.payload
    const known = this.#startedPlans.get(planId)
    if (known !== undefined) return known
    const head = await this.#settings.store.log.latest(planId, { owner: step.owner })
    if (head === undefined) return false
    if (head.status === 'open') await isWritten(context, [startPlanDraft(head, now)], { [planId]: head.version })
    const { budget, parentPlanId } = asPlan(head).payload
    const budgeted = budget !== undefined || parentPlanId !== undefined
    this.#startedPlans.set(planId, budgeted)
    return budgeted
  }
}
