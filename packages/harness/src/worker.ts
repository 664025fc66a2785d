/**
 * One process that runs steps. Several workers share a store without knowing each other: the first claim wins, the feed wakes
 * waiting workers, and the steps of a dead worker are taken over.
 */
import type { NodeStore } from '@agentm/nodes'
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
import type { StepKind } from './step-kind.ts'
import { Wake } from './wake.ts'
import { warnOfErrors } from './warn-of-errors.ts'

/** Options of `startWorker`. */
export interface WorkerOptions {
  readonly store: NodeStore
  /** The owners whose steps are run. Steps of other owners are never read. */
  readonly owners: readonly string[]
  /** What may be run here. */
  readonly kinds: readonly StepKind[]
  /** Steps of these plans only, and of all that their steps start (default: every plan). */
  readonly plans?: readonly string[]
  /** Kept as `createdBy` (default: `harness-worker`). */
  readonly actor?: string
  /** Steps at once in this process (default: 4). */
  readonly slots?: number
  /** Steps at once in one partition, over all processes (default: 4). */
  readonly perPartition?: number
  /** Default: 10 seconds. */
  readonly leaseMs?: number
  /** How long an event may go unnoticed in the worst case (default: 30 seconds). */
  readonly pollMs?: number
  readonly heartbeat?: Heartbeat
  readonly runtime?: Runtime
  /** What the process says of itself in the list of sessions. */
  readonly facts?: Readonly<Record<string, string>>
  /** What went wrong without ending the worker. Without it, each new message is a warning of the process. */
  onError?(error: unknown): void
  onRun?(report: RunReport): void
}

/** A running worker. Several workers may share a store. */
export interface Worker {
  /** Runs this plan too, where it was told which. */
  include(planId: string): Promise<void>
  /** Resolves once everything that is to be done now is done: nothing ready, nothing running here. */
  idle(): Promise<void>
  /** Takes no more steps, gives those that run `graceMs` to end by themselves, and hands the rest back. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
  /** Resolves once it was stopped. Rejects with the error that ended the worker: a damaged or closed store. */
  readonly ended: Promise<void>
}

/**
 * Sweeps what others left, then claims and runs until it is stopped.
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
    // Drawn once: workers keep apart, and a wait never ends before the one it follows would have.
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
      // What ran under the lost session holds its place in the partition until somebody takes it over: why not this worker.
      onLost: () => void this.#keeper.recover().then(onFree, onError),
      onOrphan: (orphan) => void this.#release(orphan).catch(onError),
    })
    const [sessions, signal] = [this.#sessions, this.#closing.signal]
    this.#keeper = new PlanKeeper({ store, owners, actor, now: () => sessions.now() })
    const shared = { store, owners, runtime, sessions, keeper: this.#keeper }
    this.#dispatcher = new Dispatcher({
      ...shared,
      actor,
      kinds,
      scope: this.#scope,
      slots,
      perPartition,
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
      // Plans to look at may be what kept this worker from being idle; nothing else may come that says so.
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
      // A heartbeat that went on would keep the process, and a session that runs nothing.
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

  /** Running steps are stopped, and nothing more is written. After a repair, the next worker takes them over. */
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
    await this.#dispatcher.dispatch()
    this.#tellOfFirstClaims?.()
  }

  /** A run that ended in an error of ours left its step running; it goes back to be claimed again. */
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
