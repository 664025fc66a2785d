/**
 * The session of one worker process: its lease, its connection that shows the process is alive, and its claims. If the lease cannot
 * be renewed, the runs are stopped before it expires, so that no other worker can start them at the same time.
 */
import type { SessionHold, Renewal, Session, WorkLog } from '@agentm/nodes'
import type { Claim } from './claim.ts'
import { readPlan } from './harness-context.ts'
import type { Beating, Heartbeat } from './heartbeat.ts'
import { UntrustedSignal } from './run-endings.ts'
import type { Runtime } from '@agentm/agent-loop'
import { Wake } from './wake.ts'

export interface SessionSettings {
  readonly work: Pick<WorkLog, 'openSession' | 'closeSession' | 'hold'>
  readonly heartbeat: Heartbeat
  readonly runtime: Runtime
  readonly actor: string
  readonly leaseMs: number
  readonly facts: Readonly<Record<string, string>>
  readonly onError: (error: unknown) => void
  /** Called when the session has ended and its runs were asked to stop. */
  readonly onLost: () => void
  /** Called with a step that is claimed for this session but that this process does not run. */
  readonly onOrphan: (orphan: { readonly id: string; readonly version: number }) => void
}

/** The share of the lease that is trusted. The rest allows for differing clocks and for writes that are under way. */
const trusted = 0.7
/** While claims run, a cancel or a pause is noticed within this time, even if the feed delivers nothing. */
const busyBeatMs = 900
/** The number of renewals after which a claim without a run counts as orphaned. */
const orphanAfter = 3

export class SessionKeeper {
  readonly #settings: SessionSettings
  readonly #claims = new Map<string, { readonly claim: Claim; readonly since: number }>()
  readonly #watch: Wake
  readonly #stopping = new AbortController()
  #session: Session | undefined
  #hold: SessionHold | undefined
  #beating: Beating | undefined
  #trustedUntil = 0
  #offset = 0
  #watching: Promise<void> | undefined
  /** Whether the heartbeat last read its interval while no step ran. */
  #beatsIdly = true
  #strangers: ReadonlyMap<string, number> = new Map()

  constructor(settings: SessionSettings) {
    this.#settings = settings
    this.#watch = new Wake(settings.runtime)
  }

  /** The id of a live session. A new one is opened if the last one was lost. */
  async session(): Promise<string> {
    if (this.#session === undefined) await this.#open()
    return this.#session?.id ?? ''
  }

  /** The store's time, as far as this process can compute it. */
  now(): number {
    return this.#settings.runtime.now() + this.#offset
  }

  get claimed(): number {
    return this.#claims.size
  }

  get claims(): readonly Claim[] {
    return [...this.#claims.values()].map(({ claim }) => claim)
  }

  find(id: string): Claim | undefined {
    return this.#claims.get(id)?.claim
  }

  isOwn(session: string | undefined): boolean {
    return session !== undefined && session === this.#session?.id
  }

  /** Whether a claim that is made now would stay valid for some time. */
  get isTrusted(): boolean {
    return this.#session !== undefined && this.#settings.runtime.now() < this.#trustedUntil
  }

  add(claim: Claim): void {
    this.#claims.set(claim.step.id, { claim, since: this.#settings.runtime.now() })
    // The faster heartbeat is requested once. A worker that goes from step to step is briefly idle in between, and its next renewal
    // is already set.
    if (this.#beatsIdly) this.#beating?.hurry()
    this.#beatsIdly = false
  }

  remove(claim: Claim): void {
    if (this.find(claim.step.id) === claim) this.#claims.delete(claim.step.id)
  }

  /** Ends this session, because the store said that it is over. */
  async forget(session: string): Promise<void> {
    if (this.#session?.id === session) await this.#lose()
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#watching
    await this.#leave()
  }

  async #open(): Promise<void> {
    const { work, heartbeat, runtime, actor, leaseMs, facts, onError } = this.#settings
    const startedAt = runtime.now()
    const session = await work.openSession({ actor, leaseMs, facts })
    this.#session = session
    this.#trust(session.leaseUntil, startedAt)
    const hold = await work.hold(session.id)
    // The session was lost while it was opened. A heartbeat would keep it alive beside the next session, with claims that nobody
    // runs.
    if (this.#session !== session) return hold.release()
    this.#hold = hold
    this.#beating = heartbeat.start({
      session: session.id,
      leaseMs,
      everyMs: () => {
        this.#beatsIdly = this.#claims.size === 0
        return this.#beatsIdly ? leaseMs / 3 : Math.min(busyBeatMs, leaseMs / 4)
      },
      onRenewal: (renewal, at) => this.#renewed(renewal, at),
      onLost: () => void this.#lose().catch(onError),
      onError,
    })
    this.#watching ??= this.#watchTrust()
  }

  #trust(leaseUntil: number, startedAt: number): void {
    const { leaseMs } = this.#settings
    this.#trustedUntil = startedAt + leaseMs * trusted
    // The store set the lease by its own clock, some time after the request was sent.
    this.#offset = leaseUntil - leaseMs - startedAt
    this.#watch.ring()
  }

  #renewed({ leaseUntil, claims }: Renewal, startedAt: number): void {
    this.#trust(leaseUntil, startedAt)
    this.#noteOrphans(claims)
    const seen = new Map(claims.map((claim) => [claim.id, claim]))
    for (const { claim, since } of this.#claims.values()) {
      const found = seen.get(claim.step.id)
      // A claim that was made while the renewal was on its way may be missing from the answer.
      if (found === undefined && since >= startedAt) continue
      void claim.compare(found?.version)
      if (found?.held === true) void this.#heedPlan(claim)
      else claim.pause(false)
    }
  }

  /** If a plan may start no more steps, its running steps are asked to end. */
  async #heedPlan(claim: Claim): Promise<void> {
    try {
      const { paused } = (await readPlan(claim.context, claim.step.payload.planId)).payload
      claim.pause(paused === true)
    } catch (error) {
      this.#settings.onError(error)
    }
  }

  /** A claim that is still on its way from the store is no orphan. A claim that no run takes up during several renewals is one. */
  #noteOrphans(claims: Renewal['claims']): void {
    const strangers = new Map<string, number>()
    for (const { id, version } of claims) {
      if (this.#claims.has(id)) continue
      const times = (this.#strangers.get(id) ?? 0) + 1
      strangers.set(id, times)
      if (times >= orphanAfter) this.#settings.onOrphan({ id, version })
    }
    this.#strangers = strangers
  }

  /** Stops all runs of a lease that is no longer trusted, and gives the lease up, so that other workers can take over. */
  async #lose(): Promise<void> {
    this.#trustedUntil = 0
    for (const claim of this.claims) claim.end(new UntrustedSignal())
    try {
      await this.#leave()
    } finally {
      // Also if the store cannot be told: what this session ran or could not claim waits for the next one.
      this.#settings.onLost()
    }
  }

  async #leave(): Promise<void> {
    const [session, hold, beating] = [this.#session, this.#hold, this.#beating]
    this.#session = this.#hold = this.#beating = undefined
    await beating?.stop()
    await hold?.release()
    if (session !== undefined) await this.#settings.work.closeSession(session.id)
  }

  /** After the event loop was blocked, a renewal from another thread may still be unread. */
  async #isStale(): Promise<boolean> {
    await this.#settings.runtime.sleep(1)
    return this.#session !== undefined && this.#settings.runtime.now() >= this.#trustedUntil
  }

  async #watchTrust(): Promise<void> {
    const { runtime, onError } = this.#settings
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const left = this.#trustedUntil - runtime.now()
      if (this.#session === undefined) await this.#watch.wait(60_000, signal)
      else if (left > 0) await this.#watch.wait(left, signal)
      else if (await this.#isStale()) await this.#lose().catch(onError)
    }
  }
}
