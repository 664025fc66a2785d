/**
 * The session of one worker process: its lease, the liveness hold beside it, and the claims that live by it. If a lease cannot be
 * renewed, the runs are stopped before it ends, so that no other worker can start them at the same time.
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
  /** The session ended; what ran under it was told to stop. */
  readonly onLost: () => void
  /** A step that is claimed for this session, but that this process does not run. */
  readonly onOrphan: (orphan: { readonly id: string; readonly version: number }) => void
}

/** How much of a lease is trusted: the rest is for clocks that run apart and writes that are on their way. */
const trusted = 0.7
/** With claims to watch, cancel and pause arrive within this time even if the feed is silent. */
const busyBeatMs = 900
/** Renewals. */
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
  /** The rhythm of the heartbeat was last asked for while nothing ran. */
  #beatsIdly = true
  #strangers: ReadonlyMap<string, number> = new Map()

  constructor(settings: SessionSettings) {
    this.#settings = settings
    this.#watch = new Wake(settings.runtime)
  }

  /** A live session, opened again where the last one was lost. */
  async session(): Promise<string> {
    if (this.#session === undefined) await this.#open()
    return this.#session?.id ?? ''
  }

  /** The store's clock, as far as this process knows it. */
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

  /** Whether a claim made now would still be ours for a while. */
  get isTrusted(): boolean {
    return this.#session !== undefined && this.#settings.runtime.now() < this.#trustedUntil
  }

  add(claim: Claim): void {
    this.#claims.set(claim.step.id, { claim, since: this.#settings.runtime.now() })
    // Once for a worker that goes from step to step: it is idle in between, and its next renewal is set by then.
    if (this.#beatsIdly) this.#beating?.hurry()
    this.#beatsIdly = false
  }

  remove(claim: Claim): void {
    if (this.find(claim.step.id) === claim) this.#claims.delete(claim.step.id)
  }

  /** The store said that this session is over. */
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
    // Lost while it was being opened: a heartbeat would keep it alive beside the next one, and with it claims that nobody runs.
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
    // The store set the lease by its own clock some time after we asked.
    this.#offset = leaseUntil - leaseMs - startedAt
    this.#watch.ring()
  }

  #renewed({ leaseUntil, claims }: Renewal, startedAt: number): void {
    this.#trust(leaseUntil, startedAt)
    this.#noteOrphans(claims)
    const seen = new Map(claims.map((claim) => [claim.id, claim]))
    for (const { claim, since } of this.#claims.values()) {
      const found = seen.get(claim.step.id)
      // A claim made while the renewal was on its way need not be in its answer.
      if (found === undefined && since >= startedAt) continue
      void claim.compare(found?.version)
      if (found?.held === true) void this.#heedPlan(claim)
      else claim.pause(false)
    }
  }

  /** The steps of a plan that may start no more are held too, and what runs of it is to end. */
  async #heedPlan(claim: Claim): Promise<void> {
    try {
      const { paused } = (await readPlan(claim.context, claim.step.payload.planId)).payload
      claim.pause(paused === true)
    } catch (error) {
      this.#settings.onError(error)
    }
  }

  /** A claim that is still on its way from the store is not an orphan. One that no run takes up during several renewals is. */
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

  /** Ends what runs under a lease that is no longer trusted, and gives it up for the others to take over. */
  async #lose(): Promise<void> {
    this.#trustedUntil = 0
    for (const claim of this.claims) claim.end(new UntrustedSignal())
    await this.#leave()
    this.#settings.onLost()
  }

  async #leave(): Promise<void> {
    const [session, hold, beating] = [this.#session, this.#hold, this.#beating]
    this.#session = this.#hold = this.#beating = undefined
    await beating?.stop()
    await hold?.release()
    if (session !== undefined) await this.#settings.work.closeSession(session.id)
  }

  /** After a blocked loop, a renewal made in another thread may be waiting to be heard. */
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
