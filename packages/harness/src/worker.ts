/**
 * One process that runs steps. Several workers share a store without knowing each other: the first claim wins, the feed wakes
 * waiting workers, and the steps of a dead worker are taken over.
 */
import type { NodeStore } from '@agentm/nodes'
import type { CheckOptions } from './checks/check-options.ts'
import { Dispatcher } from './dispatcher.ts'
import { asStep, planIdOf } from './harness-context.ts'
import { type Heartbeat, timerHeartbeat } from './heartbeat.ts'
import { PlanKeeper } from './plan-keeper.ts'
import { PlanScope } from './plan-scope.ts'
import { PlanWatch } from './plan-watch.ts'
import { isFinalFault } from './pure/is-final-fault.ts'
import { servingFacts } from './pure/serving.ts'
import type { RunReport } from './run-claim.ts'
import { ShutdownSignal, UntrustedSignal } from './run-endings.ts'
import { type Runtime, systemRuntime } from '@agentm/agent-loop'
import { SessionKeeper } from './session-keeper.ts'
import type { StepKind, StepRun } from './step-kind.ts'
import { Wake } from './wake.ts'
import { warnOfErrors } from './warn-of-errors.ts'

/** Options of `startWorker`. */
export interface WorkerOptions {
  readonly store: NodeStore
  /** The owners whose steps are run. Steps of other owners are never read. */
  readonly owners: readonly string[]
  /** The kinds of steps that this worker may run. */
  readonly kinds: readonly StepKind[]
  /** Runs steps only of these plans and of plans that their steps start (default: every plan). */
  readonly plans?: readonly string[]
  /** Stored as `createdBy` (default: `harness-worker`). */
  readonly actor?: string
  /** The most steps that run at once in this process (default: 4). */
  readonly slots?: number
  /** The most steps that run at once in one partition, over all processes (default: 4). */
  readonly perPartition?: number
  /** The time after which a worker without a renewal counts as dead (default: 10 seconds). */
  readonly leaseMs?: number
  /** The longest time until a missed event is noticed (default: 30 seconds). */
  readonly pollMs?: number
  readonly heartbeat?: Heartbeat
  readonly runtime?: Runtime
  /** Facts about the process, shown in the list of sessions. */
  readonly facts?: Readonly<Record<string, string>>
  /** The directory in which a step works (default: that of this process). Asked when a kind needs it, and once per run. */
  readonly directoryOf?: (run: StepRun) => Promise<string>
  /** What the checks of steps may do here. */
  readonly checks?: CheckOptions
  /** Gets errors that do not end the worker. Without it, each new message is printed as a warning. */
  onError?(error: unknown): void
  onRun?(report: RunReport): void
}

/** A running worker. Several workers may share a store. */
export interface Worker {
  /** Adds this plan to the worker's plans, if it was limited to some. */
  include(planId: string): Promise<void>
  /** Resolves once no step is ready and none runs here. */
  idle(): Promise<void>
  /** Claims no more steps, waits `graceMs` for running ones, then hands the rest back. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
  /** Resolves once the worker was stopped. Rejects with the error that ended it: a damaged or closed store. */
  readonly ended: Promise<void>
}

/**
 * Recovers what dead workers left, then claims and runs steps until it is stopped.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { commandKind, harnessConcepts, startWorker } from '@agentm/harness'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const worker = await startWorker({ store, owners: ['ada'], kinds: [commandKind()] })
 * await worker.idle()
 * await worker.stop()
 * ```
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const worker = new RunningWorker(options)
  await worker.start()
  return worker
}

const betweenFailuresMs = 500

class RunningWorker implements Worker {
  readonly #store: NodeStore
  readonly #owners: readonly string[]
  readonly #runtime: Runtime
  readonly #pollMs: number
  readonly #keeper: PlanKeeper
  readonly #sessions: SessionKeeper
  readonly #dispatcher: Dispatcher
  readonly #watch: PlanWatch
  readonly #scope: PlanScope | undefined
  readonly #plans: readonly string[]
  readonly #closing = new AbortController()
  readonly #claimWake: Wake
  readonly #idlers = new Set<() => void>()
  readonly ended: Promise<void>
  #resolveEnd: (() => void) | undefined
  #rejectEnd: ((fault: unknown) => void) | undefined
  #stopping: Promise<void> | undefined
  #fault: { readonly error: unknown } | undefined
  readonly #firstClaims: Promise<void>
  #tellOfFirstClaims: (() => void) | undefined
  readonly #onError: (error: unknown) => void
  #loops: readonly Promise<void>[] = []
  #claiming = true

  constructor(options: WorkerOptions) {
    const { store, owners, kinds, actor = 'harness-worker', slots = 4, perPartition = 4, pollMs = 30_000 } = options
    const { runtime = systemRuntime, leaseMs = 10_000, plans } = options
    const serving = { owners, kinds: kinds.map(({ name }) => name), ...(plans && { plans: plans.map(planIdOf) }) }
    const facts = { ...options.facts, ...servingFacts(serving) }
    this.#store = store
    this.#scope = plans && new PlanScope(store.log, owners)
    this.#plans = plans ?? []
    this.#owners = owners
    this.#runtime = runtime
    // Chosen once: workers poll at different times, and each wait is as long as the one before.
    this.#pollMs = pollMs * (0.75 + runtime.random() / 2)
    const tell = options.onError?.bind(options) ?? warnOfErrors()
    this.#onError = (error) => {
      if (this.#fault === undefined) tell(error)
      if (isFinalFault(error)) this.#giveUp(error)
    }
    this.ended = new Promise((resolve, reject) => {
      this.#resolveEnd = resolve
      this.#rejectEnd = reject
    })
    // `onError` gets the same error, so waiting for this is optional.
    this.ended.catch(() => undefined)
    this.#claimWake = new Wake(runtime)
    this.#firstClaims = new Promise((resolve) => (this.#tellOfFirstClaims = resolve))
    const onError = this.#onError
    const onFree = (): void => this.#claimWake.ring()
    this.#sessions = new SessionKeeper({
      work: store.work,
      heartbeat: options.heartbeat ?? timerHeartbeat(store.work, runtime),
      runtime,
      actor,
      leaseMs,
      facts,
      onError,
      // Steps of the lost session keep their places in the partition until a worker takes them over, so this worker does it now.
      onLost: () => void this.#keeper.recover().catch(onError).then(onFree),
      onOrphan: (orphan) => void this.#release(orphan).catch(onError),
    })
    const [sessions, signal] = [this.#sessions, this.#closing.signal]
    this.#keeper = new PlanKeeper({ store, owners, actor, now: () => sessions.now(), schedules: plans === undefined })
    const shared = { store, owners, runtime, sessions, keeper: this.#keeper }
    this.#dispatcher = new Dispatcher({
      ...shared,
      actor,
      kinds,
      scope: this.#scope,
      slots,
      perPartition,
      checks: options.checks ?? {},
      directoryOf: options.directoryOf ?? (async () => process.cwd()),
      onFree,
      onTimer: () => this.#watch.ring(),
      onRun: (report) => options.onRun?.(report),
      onError,
    })
    this.#watch = new PlanWatch({
      ...shared,
      pollMs: this.#pollMs,
      dispatcher: this.#dispatcher,
      onReady: onFree,
      onPlan: (plan) => this.#scope?.note(plan),
      untilRest: async () => {
        await this.#firstClaims
        await this.#dispatcher.settled()
      },
      // Looking at plans may be the last thing that kept this worker from being idle, so idleness is checked here, too.
      onRest: () => {
        if (this.#idlers.size > 0) onFree()
      },
      signal,
    })
  }

  async start(): Promise<void> {
    try {
      await this.#begin()
    } catch (error) {
      // A heartbeat that continued would keep the process alive, and a session that runs nothing.
      await this.#sessions.close().catch(() => undefined)
      throw error
    }
  }

  async #begin(): Promise<void> {
    await this.#sessions.session()
    const after = await this.#store.log.position()
    for (const planId of this.#plans) await this.#scope?.add(planId)
    await this.#keeper.recover()
    await this.#watch.noteOthers()
    this.#loops = [
      this.#loop(() => this.#watch.sweep()),
      this.#loop(this.#watch.follower(after)),
      this.#loop(() => this.#claimRound()),
      this.#loop(() => this.#watch.keep()),
    ]
    this.#claimWake.ring()
  }

  async include(planId: string): Promise<void> {
    await this.#scope?.add(planId)
    this.#claimWake.ring()
  }

  async idle(): Promise<void> {
    const idle = new Promise<void>((resolve) => {
      this.#idlers.add(resolve)
      this.#claimWake.ring()
    })
    await Promise.race([idle, this.ended])
  }

  stop({ graceMs = 0 }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#stopping ??= this.#stop(graceMs).finally(() => {
      if (this.#fault === undefined) this.#resolveEnd?.()
      else this.#rejectEnd?.(this.#fault.error)
    })
    return this.#stopping
  }

  /** Stops the running steps and writes nothing more. After a repair, the next worker takes them over. */
  #giveUp(error: unknown): void {
    if (this.#fault !== undefined || this.#closing.signal.aborted) return
    this.#fault = { error }
    const why = error instanceof Error ? error.message : String(error)
    for (const claim of this.#sessions.claims) claim.end(new UntrustedSignal(why))
    void this.stop()
  }

  async #stop(graceMs: number): Promise<void> {
    this.#dispatcher.stop()
    const graced = new AbortController()
    const grace = this.#runtime.sleep(graceMs, graced.signal).catch(() => undefined)
    await Promise.race([this.#dispatcher.settled(), graceMs === 0 ? Promise.resolve() : grace])
    graced.abort()
    for (const claim of this.#sessions.claims) claim.end(new ShutdownSignal())
    await this.#dispatcher.settled()
    this.#closing.abort()
    await Promise.all(this.#loops)
    await this.#dispatcher.settled()
    try {
      await this.#sessions.close()
    } catch (error) {
      if (this.#fault === undefined) throw error
    }
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
    this.#claiming = false
    this.#tellIdlers()
    await this.#claimWake.wait(this.#pollMs, this.#closing.signal)
    this.#claiming = true
    try {
      await this.#dispatcher.dispatch()
    } catch (error) {
      // Nobody rings again for the steps that could not be claimed now.
      this.#claimWake.ring()
      throw error
    }
    this.#tellOfFirstClaims?.()
  }

  /** An error of the harness left this step running, so it is handed back to be claimed again. */
  async #release({ id, version }: { readonly id: string; readonly version: number }): Promise<void> {
    for (const owner of this.#owners) {
      const head = await this.#store.log.latest(id, { owner })
      if (head?.version === version && head.status === 'running') await this.#keeper.recoverOrphan(asStep(head))
    }
  }

  #tellIdlers(): void {
    if (this.#claiming || this.#dispatcher.isBusy || this.#watch.isBusy) return
    for (const resolve of this.#idlers) resolve()
    this.#idlers.clear()
  }
}
