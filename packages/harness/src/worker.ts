/**
 * One process that runs steps. Several of them share a store without knowing each other: who claims first runs, the feed
 * wakes whoever waits, and what a lost worker left behind is taken over.
 */
import { type FeedEvent, type Head, isNodesError, type NodeStore } from '@agentm/nodes'
import { Claim } from './claim.ts'
import { asPlan, asStep } from './harness-context.ts'
import { type Heartbeat, timerHeartbeat } from './heartbeat.ts'
import { PlanKeeper } from './plan-keeper.ts'
import { plan as planConcept } from './plan.ts'
import { isWritten } from './perform-actions.ts'
import { drainDraft, startPlanDraft } from './pure/plan-drafts.ts'
import { isPlanOver } from './pure/plan-transitions.ts'
import { blockDraft } from './pure/step-drafts.ts'
import { runClaim, type RunReport } from './run-claim.ts'
import { ShutdownSignal } from './run-endings.ts'
import { type Runtime, systemRuntime } from './runtime.ts'
import { SessionKeeper } from './session-keeper.ts'
import { step as stepConcept } from './step.ts'
import type { StepKind } from './step-kind.ts'
import { type ChainOverrun, findChainOverrun } from './step-run.ts'
import { Wake } from './wake.ts'

export interface WorkerOptions {
  readonly store: NodeStore
  /** Whose steps are run; nobody else's are looked at. */
  readonly owners: readonly string[]
  /** What may be run here. */
  readonly kinds: readonly StepKind[]
  /** Kept as `createdBy`; `harness-worker` where absent. */
  readonly actor?: string
  /** Steps at once in this process. 4 where absent. */
  readonly slots?: number
  /** Steps at once in one partition, over all processes. 4 where absent. */
  readonly perPartition?: number
  /** 10 seconds where absent. */
  readonly leaseMs?: number
  /** How long the worst case takes that no event announces. 30 seconds where absent. */
  readonly pollMs?: number
  readonly heartbeat?: Heartbeat
  readonly runtime?: Runtime
  /** What the process says of itself in the list of sessions. */
  readonly facts?: Readonly<Record<string, string>>
  /** What went wrong without ending the worker. */
  onError?(error: unknown): void
  onRun?(report: RunReport): void
}

export interface Worker {
  /** Resolves once everything that is to be done now is done: nothing ready, nothing running here. */
  idle(): Promise<void>
  /** Takes no more steps, gives those that run `graceMs` to end by themselves, and hands the rest back. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

/** Sweeps what others left, then claims and runs until it is stopped. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const worker = new RunningWorker(options)
  await worker.start()
  return worker
}

/** Abandoned steps are looked for this often while other processes run any. */
const watchOthersMs = 1000
/** Others write what follows from their own steps; only what they left undone after this long is done here. */
const leaveToOthersMs = 400
const betweenFailuresMs = 500
/** A sweep takes at most one part in so many of the time. */
const sweepShare = 20

class RunningWorker implements Worker {
  readonly #store: NodeStore
  readonly #owners: readonly string[]
  readonly #runtime: Runtime
  readonly #actor: string
  readonly #slots: number
  readonly #perPartition: number
  readonly #pollMs: number
  readonly #kinds: ReadonlyMap<string, StepKind>
  readonly #keeper: PlanKeeper
  readonly #sessions: SessionKeeper
  readonly #stopping = new AbortController()
  readonly #closing = new AbortController()
  readonly #claimWake: Wake
  readonly #keepWake: Wake
  readonly #runs = new Set<Promise<void>>()
  /** Plans to look at, and from when on. */
  readonly #dirty = new Map<string, { readonly owner: string; readonly at: number }>()
  /** Steps that other sessions run. */
  readonly #others = new Set<string>()
  /** Plans that have begun, and whether a budget bounds them. */
  readonly #startedPlans = new Map<string, boolean>()
  readonly #idlers = new Set<() => void>()
  readonly #onError: (error: unknown) => void
  readonly #onRun: (report: RunReport) => void
  #loops: readonly Promise<void>[] = []
  #claiming = true
  /** By the local clock. */
  #notBefore = 0

  constructor(options: WorkerOptions) {
    const { store, owners, kinds, actor = 'harness-worker', slots = 4, perPartition = 4, pollMs = 30_000 } = options
    const { runtime = systemRuntime, leaseMs = 10_000, facts = {} } = options
    this.#store = store
    this.#owners = owners
    this.#runtime = runtime
    this.#actor = actor
    this.#slots = slots
    this.#perPartition = perPartition
    // Drawn once: workers keep apart, and a wait never ends before the one it follows would have.
    this.#pollMs = pollMs * (0.75 + runtime.random() / 2)
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]))
    this.#onError = (error) => options.onError?.(error)
    this.#onRun = (report) => options.onRun?.(report)
    const heartbeat = options.heartbeat ?? timerHeartbeat(store.work, runtime)
    const onError = this.#onError
    this.#sessions = new SessionKeeper({
      work: store.work,
      heartbeat,
      runtime,
      actor,
      leaseMs,
      facts,
      onError,
      onLost: () => this.#claimWake.ring(),
      onOrphan: (orphan) => void this.#release(orphan).catch(onError),
    })
    this.#keeper = new PlanKeeper({ store, owners, actor, now: () => this.#sessions.now() })
    this.#claimWake = new Wake(runtime)
    this.#keepWake = new Wake(runtime)
  }

  async start(): Promise<void> {
    await this.#sessions.session()
    const after = await this.#store.log.position()
    await this.#keeper.recover()
    await this.#noteOthers()
    this.#loops = [
      this.#loop(() => this.#sweepRound()),
      this.#follow(after),
      this.#loop(() => this.#claimRound()),
      this.#loop(() => this.#keepRound()),
    ]
    this.#claimWake.ring()
  }

  async idle(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#idlers.add(resolve)
      this.#claimWake.ring()
    })
  }

  async stop({ graceMs = 0 }: { readonly graceMs?: number } = {}): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#stopping.abort()
    this.#claimWake.ring()
    const graced = new AbortController()
    const grace = this.#runtime.sleep(graceMs, graced.signal).catch(() => undefined)
    await Promise.race([Promise.all(this.#runs), graceMs === 0 ? Promise.resolve() : grace])
    graced.abort()
    for (const claim of this.#sessions.claims) claim.end(new ShutdownSignal())
    await Promise.all(this.#runs)
    this.#closing.abort()
    await Promise.all(this.#loops)
    await Promise.all(this.#runs)
    await this.#sessions.close()
    for (const resolve of this.#idlers) resolve()
  }

  async #loop(round: () => Promise<void>): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted)
      try {
        await round()
      } catch (error) {
        if (signal.aborted) return
        this.#onError(error)
        await this.#runtime.sleep(betweenFailuresMs, signal).catch(() => undefined)
      }
  }

  async #claimRound(): Promise<void> {
    const { signal } = this.#closing
    this.#claiming = false
    this.#tellIdlers()
    await this.#claimWake.wait(this.#pollMs, signal)
    this.#claiming = true
    while (!this.#stopping.signal.aborted && this.#free > 0) {
      const claims = await this.#take(this.#free)
      if (claims.length === 0) break
      for (const claim of claims) this.#run(claim)
    }
  }

  get #free(): number {
    return this.#slots - this.#sessions.claims.length
  }

  async #take(k: number): Promise<readonly Claim[]> {
    const session = await this.#sessions.session()
    if (!this.#sessions.isTrusted) return []
    const heads = await this.#takeAs(session, k)
    return heads.map((head) => {
      const claim = new Claim(this.#keeper.contextOf(head.owner), asStep(head))
      this.#sessions.add(claim)
      return claim
    })
  }

  async #takeAs(session: string, k: number): Promise<readonly Head[]> {
    const [owners, concepts, actor, perPartition] = [this.#owners, [stepConcept.name], this.#actor, this.#perPartition]
    try {
      return await this.#store.work.take({ session, owners, concepts, actor, k, perPartition })
    } catch (error) {
      if (!isNodesError(error, 'SESSION_LOST')) throw error
      await this.#sessions.forget(session)
      return []
    }
  }

  #run(claim: Claim): void {
    if (this.#stopping.signal.aborted) claim.end(new ShutdownSignal())
    const run = this.#runToEnd(claim).catch(this.#onError)
    this.#runs.add(run)
    void run.finally(() => {
      this.#runs.delete(run)
      this.#sessions.remove(claim)
      this.#claimWake.ring()
    })
  }

  async #runToEnd(claim: Claim): Promise<void> {
    if (!(await this.#mayStart(claim))) return
    const { payload, owner, id } = claim.step
    const report = await runClaim(claim, {
      kinds: this.#kinds,
      runtime: this.#runtime,
      now: () => this.#sessions.now(),
    })
    this.#sessions.remove(claim)
    this.#onRun(report)
    this.#claimWake.ring()
    if (report.ended === 'failed' || report.ended === 'blocked') this.#keepWake.ring()
    if (report.ended !== 'done' && report.ended !== 'failed') return
    const siblings = this.#sessions.claims.some(({ step }) => step.payload.planId === payload.planId)
    const inFlight = report.promoted > 0 || siblings
    await this.#keeper.lookBehind(owner, { planId: payload.planId, stepId: id, inFlight })
  }

  /** A run that ended in an error of ours left its step running; it goes back to be claimed again. */
  async #release({ id, version }: { readonly id: string; readonly version: number }): Promise<void> {
    for (const owner of this.#owners) {
      const head = await this.#store.log.latest(id, { owner })
      if (head?.version === version && head.status === 'running') await this.#keeper.recoverOrphan(asStep(head))
    }
  }

  /** The plan has begun, and its budgets allow this start; where they do not, the plan is halted with all that runs. */
  async #mayStart(claim: Claim): Promise<boolean> {
    const now = this.#sessions.now()
    if (!(await this.#startPlan(claim, now))) return true
    const overrun = await findChainOverrun(claim, { now, start: true })
    if (overrun === undefined) return true
    await this.#refuseStart(claim, overrun)
    return false
  }

  /** The step goes back as it was, and its plan ends: at once, or once what was started before it has ended. */
  async #refuseStart({ step, context }: Claim, { plan, ...overrun }: ChainOverrun): Promise<void> {
    const expects = { [step.id]: step.version, [plan.id]: plan.version }
    await isWritten(context, [blockDraft(step, { for: 'resume' }), drainDraft(plan, overrun)], expects)
    await this.#keeper.lookAtWhole(step.owner, plan.id)
  }

  /** Whether a budget has to be asked: the plan's own, or one above it. Neither changes once the plan is written. */
  async #startPlan({ step, context }: Claim, now: number): Promise<boolean> {
    const { planId } = step.payload
    const known = this.#startedPlans.get(planId)
    if (known !== undefined) return known
    const head = await this.#store.log.latest(planId, { owner: step.owner })
    if (head === undefined) return false
    if (head.status === 'open') await isWritten(context, [startPlanDraft(head, now)], { [planId]: head.version })
    const { budget, parentPlanId } = asPlan(head).payload
    const budgeted = budget !== undefined || parentPlanId !== undefined
    this.#startedPlans.set(planId, budgeted)
    return budgeted
  }

  async #follow(after: number): Promise<void> {
    let seen = after
    await this.#loop(async () => {
      const { signal } = this.#closing
      const concepts = [planConcept.name, stepConcept.name]
      for await (const event of this.#store.log.feed({ owner: this.#owners, after: seen, concepts, signal })) {
        this.#noteEvent(event)
        seen = event.node.seq
      }
    })
  }

  #noteEvent({ node }: FeedEvent): void {
    if (node.concept === planConcept.name) this.#notePlan(node)
    else this.#noteStep(node)
  }

  #notePlan(node: FeedEvent['node']): void {
    const { status, paused, parentPlanId } = asPlan(node).payload
    const over = isPlanOver(status)
    if (over) this.#startedPlans.delete(node.id)
    for (const claim of this.#sessions.claims)
      if (claim.step.payload.planId === node.id && !over) claim.pause(paused === true)
    if (over && parentPlanId !== undefined) this.#look(node.owner, parentPlanId, 0)
    // Children of an ended plan end with it, and a resumed plan has steps that waited for that.
    if (node.version > 1) this.#look(node.owner, node.id, 0)
    this.#claimWake.ring()
  }

  #noteStep(node: FeedEvent['node']): void {
    const claim = this.#sessions.find(node.id)
    const { status, planId } = asStep(node).payload
    if (claim !== undefined) void claim.compare(node.version)
    if (status === 'running') return claim === undefined ? this.#noteOther(node.id) : undefined
    this.#others.delete(node.id)
    if (status === 'pending' || status === 'done' || status === 'failed')
      this.#look(node.owner, planId, leaveToOthersMs)
    if (status === 'failed' || status === 'blocked') this.#keepWake.ring()
    this.#claimWake.ring()
  }

  #noteOther(id: string): void {
    if (this.#others.size === 0) this.#keepWake.ring()
    this.#others.add(id)
  }

  #look(owner: string, planId: string, inMs: number): void {
    const at = this.#runtime.now() + this.#jittered(inMs)
    const known = this.#dirty.get(planId)
    if (known === undefined || known.at > at) this.#dirty.set(planId, { owner, at })
    this.#keepWake.ring()
  }

  async #keepRound(): Promise<void> {
    const { signal } = this.#closing
    await this.#keepWake.wait(await this.#untilNext(), signal)
    if (signal.aborted) return
    const now = this.#runtime.now()
    for (const [planId, { owner, at }] of this.#dirty)
      if (at <= now) {
        this.#dirty.delete(planId)
        await this.#giveWay()
        await this.#keeper.lookAtFree(owner, planId)
      }
    // Plans to look at were what kept this worker from being idle; nothing else may come that says so.
    if (this.#idlers.size > 0 && this.#dirty.size === 0) this.#claimWake.ring()
    if (this.#others.size > 0) await this.#keeper.recover()
    const { due, written } = await this.#keeper.attend()
    // Something is due and nothing can be done about it: others are at it, or it has to wait. Not a reason to spin.
    this.#notBefore = due > written ? now + watchOthersMs : 0
  }

  async #sweepRound(): Promise<void> {
    const { signal } = this.#closing
    const began = this.#runtime.now()
    await this.#keeper.sweep(() => this.#giveWay())
    await this.#noteOthers()
    this.#claimWake.ring()
    const took = this.#runtime.now() - began
    await this.#runtime.sleep(Math.max(this.#jittered(this.#pollMs), took * sweepShare), signal).catch(() => undefined)
  }

  /** Timers and events first. */
  async #giveWay(): Promise<void> {
    await this.#runtime.sleep(0, this.#closing.signal)
  }

  async #untilNext(): Promise<number> {
    const now = this.#runtime.now()
    const due = (await this.#store.work.nextDue({ owners: this.#owners })) ?? Infinity
    const times = [
      now + this.#pollMs,
      ...[...this.#dirty.values()].map(({ at }) => at),
      Math.max(this.#notBefore, due - this.#sessions.now() + now),
      ...(this.#others.size > 0 ? [now + this.#jittered(watchOthersMs)] : []),
    ]
    return Math.max(0, Math.min(...times) - now)
  }

  /** What was claimed while nobody here listened. */
  async #noteOthers(): Promise<void> {
    this.#others.clear()
    for (const owner of this.#owners) {
      const query = { owner, concepts: [stepConcept.name], status: 'running', limit: 10_000 }
      const { nodes } = await this.#store.log.scan(query)
      for (const { id } of nodes) if (this.#sessions.find(id) === undefined) this.#others.add(id)
    }
  }

  #jittered(ms: number): number {
    return ms * (0.75 + this.#runtime.random() / 2)
  }

  #tellIdlers(): void {
    if (this.#claiming || this.#runs.size > 0 || this.#dirty.size > 0) return
    for (const resolve of this.#idlers) resolve()
    this.#idlers.clear()
  }
}
