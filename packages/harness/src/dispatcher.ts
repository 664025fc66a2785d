/** Claims ready steps and runs them, as many at once as this process may. The plan keeper handles what follows when a step ends. */
import { type Durability, type Head, isNodesError, type NodeStore } from '@agentm/nodes'
import type { CheckOptions } from './checks/check-options.ts'
import { Claim } from './claim.ts'
import { asPlan, asStep } from './harness-context.ts'
import { isWritten } from './perform-actions.ts'
import type { PlanKeeper } from './plan-keeper.ts'
import type { PlanScope } from './plan-scope.ts'
import { PlansInFlight, type QuietPlan } from './plans-in-flight.ts'
import { drainDraft, startPlanDraft } from './pure/plan-drafts.ts'
import { blockDraft } from './pure/step-drafts.ts'
import { runClaim, type RunReport } from './run-claim.ts'
import { ShutdownSignal } from './run-endings.ts'
import type { Runtime } from '@agentm/agent-loop'
import type { SessionKeeper } from './session-keeper.ts'
import { step as stepConcept } from './step.ts'
import type { StepKind, StepRun } from './step-kind.ts'
import { type ChainOverrun, findChainOverrun } from './step-run.ts'

export interface DispatcherSettings {
  readonly store: NodeStore
  readonly owners: readonly string[]
  readonly actor: string
  readonly kinds: readonly StepKind[]
  /** The plans whose steps are claimed (default: every plan). */
  readonly scope: PlanScope | undefined
  readonly slots: number
  readonly perPartition: number
  readonly runtime: Runtime
  readonly sessions: SessionKeeper
  readonly keeper: PlanKeeper
  readonly directoryOf: (run: StepRun) => Promise<string>
  readonly checks: CheckOptions
  /** Called when a slot is free, because a step may be ready for it. */
  readonly onFree: () => void
  /** Called when a step failed or waits, because it may have set a new timer. */
  readonly onTimer: () => void
  readonly onRun: (report: RunReport) => void
  readonly onError: (error: unknown) => void
}

export class Dispatcher {
  readonly #settings: DispatcherSettings
  readonly #kinds: ReadonlyMap<string, StepKind>
  readonly #runs = new Set<Promise<void>>()
  readonly #plans = new PlansInFlight()
  /** Runs that have finished, but whose last write is still to be made. They hold no slot: the next claim goes into the same commit. */
  readonly #ending = new Map<Claim, Durability>()
  /** Plans that have begun, and whether they have a budget. */
  readonly #startedPlans = new Map<string, boolean>()
  #stopping = false

  constructor(settings: DispatcherSettings) {
    this.#settings = settings
    this.#kinds = new Map(settings.kinds.map((kind) => [kind.name, kind]))
  }

  get isBusy(): boolean {
    return this.#runs.size > 0
  }

  /**
   * Claims until no slot is free or no step is ready. A plan from which nothing was claimed, and which has no running step, may
   * have ended.
   */
  async dispatch(): Promise<void> {
    while (!this.#stopping && this.#free > 0) {
      const { quiet } = this.#plans
      const claims = await this.#take(this.#free)
      for (const claim of claims) this.#run(claim)
      if (quiet.length > 0) this.#lookAt(quiet)
      if (claims.length === 0) return
    }
  }

  /** From now on, no step is claimed. */
  stop(): void {
    this.#stopping = true
  }

  async settled(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs)
  }

  forgetPlan(planId: string): void {
    this.#startedPlans.delete(planId)
  }

  get #free(): number {
    const { slots, sessions } = this.#settings
    // A waiting step may be claimed again before its last write has returned. It then counts once, as running.
    const ending = [...this.#ending.keys()].filter((claim) => sessions.find(claim.step.id) === claim).length
    // Limits the ends that wait for their write, for a store that writes more slowly than steps run.
    return Math.min(slots - sessions.claimed + ending, 2 * slots - sessions.claimed)
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
    // The end of a run is flushed to disk. Claims in the same commit are flushed with it, so their intents are written now and need
    // no second flush.
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
    if (this.#stopping) claim.end(new ShutdownSignal())
    this.#plans.add(claim)
    this.#keep(this.#runToEnd(claim), () => this.#leave(claim))
  }

  async #runToEnd(claim: Claim): Promise<void> {
    if (!(await this.#mayStart(claim))) return
    const { runtime, sessions, directoryOf, checks, onFree, onTimer, onRun, onError } = this.#settings
    const report = await runClaim(claim, {
      kinds: this.#kinds,
      runtime,
      now: () => sessions.now(),
      directoryOf,
      checks,
      onEnding: (durability) => {
        this.#ending.set(claim, durability)
        onFree()
      },
      onError,
    })
    onRun(report)
    if (report.ended === 'failed' || report.ended === 'blocked') onTimer()
  }

  #leave(claim: Claim): void {
    this.#ending.delete(claim)
    this.#settings.sessions.remove(claim)
    this.#plans.remove(claim)
    // If a slot is free, the next claim shows whether the plan has more steps. Otherwise the plan is looked at here.
    if (this.#stopping || this.#free <= 0) this.#lookAt(this.#plans.quiet)
  }

  #lookAt(plans: readonly QuietPlan[]): void {
    const { keeper } = this.#settings
    for (const { owner, planId } of this.#plans.drawQuiet(plans)) this.#keep(keeper.lookAtQuiet(owner, planId))
  }

  /** This worker counts as busy until the work is done. */
  #keep(work: Promise<unknown>, after?: () => void): void {
    const run = this.#finish(work, () => {
      this.#runs.delete(run)
      after?.()
    })
    this.#runs.add(run)
  }

  async #finish(work: Promise<unknown>, after: () => void): Promise<void> {
    const { onFree, onError } = this.#settings
    try {
      await work
    } catch (error) {
      onError(error)
    }
    after()
    onFree()
  }

  /** Marks the plan as begun and asks its budgets. If a budget refuses the start, the plan ends together with its running steps. */
  async #mayStart(claim: Claim): Promise<boolean> {
    const now = this.#settings.sessions.now()
    if (!(await this.#startPlan(claim, now))) return true
    const overrun = await findChainOverrun(claim, { now, start: true, runtime: this.#settings.runtime })
    if (overrun === undefined) return true
    await this.#refuseStart(claim, overrun)
    return false
  }

  /** Hands the step back unchanged and ends its plan: at once, or when the steps that were already started have ended. */
  async #refuseStart({ step, context }: Claim, { plan, ...overrun }: ChainOverrun): Promise<void> {
    const expects = { [step.id]: step.version, [plan.id]: plan.version }
    const back = blockDraft(step, { for: 'resume' })
    // If several starts are refused at once, only one of them ends the plan. All their steps are handed back.
    if (!(await isWritten(context, [back, drainDraft(plan, overrun)], expects)))
      await isWritten(context, [back], { [step.id]: step.version })
    await this.#settings.keeper.lookAtWhole(step.owner, plan.id)
  }

  /** Whether a budget must be asked: that of the plan or of a plan above it. Neither changes once the plan is written. */
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
