/**
 * Watches the store and does the work that belongs to no single run: it checks plans again, wakes steps whose time has come, and
 * frees steps whose worker died. Other processes do the same; whoever comes second finds nothing left to do.
 */
import { type FeedEvent, type NodeStore, scanHeads } from '@agentm/nodes'
import type { Dispatcher } from './dispatcher.ts'
import { asPlan, asStep } from './harness-context.ts'
import type { PlanKeeper } from './plan-keeper.ts'
import { plan as planConcept } from './plan.ts'
import { PlanSweep } from './plan-sweep.ts'
import { mailboxName, scheduleName } from './pure/concept-names.ts'
import { isPlanOver } from './pure/plan-transitions.ts'
import type { Runtime } from '@agentm/agent-loop'
import { RecentNews } from './recent-news.ts'
import type { SessionKeeper } from './session-keeper.ts'
import { step as stepConcept } from './step.ts'
import { Wake } from './wake.ts'

export interface PlanWatchSettings {
  readonly store: NodeStore
  readonly owners: readonly string[]
  readonly pollMs: number
  readonly runtime: Runtime
  readonly sessions: SessionKeeper
  readonly keeper: PlanKeeper
  readonly dispatcher: Pick<Dispatcher, 'forgetPlan'>
  /** Called when a version of a plan was written. */
  readonly onPlan: (plan: FeedEvent['node']) => void
  /** Called when a step may be ready to be claimed. */
  readonly onReady: () => void
  /** Resolves when all steps that were ready at the start have been claimed, and none runs. */
  readonly untilRest: () => Promise<void>
  /** Called when no plan is left to look at. */
  readonly onRest: () => void
  readonly signal: AbortSignal
}

/** How often to look for abandoned steps while other processes run steps. */
const watchOthersMs = 1000
/** Other workers handle what follows from their own steps. After this time, this worker does what they have not done. */
const leaveToOthersMs = 400
/** How long ready steps have priority over the first sweep, which goes over all open plans. */
const claimsFirstMs = 1000
/** A sweep may take at most 1/20 of the time. */
const sweepShare = 20

export class PlanWatch {
  readonly #settings: PlanWatchSettings
  readonly #wake: Wake
  readonly #sweep: PlanSweep
  /** Plans to look at, each with the earliest time for it. */
  readonly #dirty = new Map<string, { readonly owner: string; readonly at: number }>()
  /** Steps that other sessions run. */
  readonly #others = new Set<string>()
  readonly #news = new RecentNews()
  /** Whether the first sweep over the plans that existed at the start is finished. */
  #swept = false
  #looking = false
  /** Whether a schedule may have a start that waits for nothing any more. */
  #schedulesWait = false
  /** The earliest time of the next attempt, by the local clock. */
  #notBefore = 0
  /** When the next timer is due, or the next rate limit lets steps through, by the clock of the store. */
  #nextDue = Infinity
  /** The watch sleeps until this time (local clock), unless it is woken. */
  #asleepUntil = 0

  constructor(settings: PlanWatchSettings) {
    this.#settings = settings
    this.#wake = new Wake(settings.runtime)
    this.#sweep = new PlanSweep({ ...settings, pause: () => this.#giveWay() })
  }

  get isBusy(): boolean {
    return this.#dirty.size > 0 || this.#looking || !this.#swept
  }

  /** Wakes the watch, because there may be a new timer. */
  ring(): void {
    this.#wake.ring()
  }

  /** Follows the feed event by event. It keeps its position, so it can be called again after an error. */
  follower(after: number): () => Promise<void> {
    let seen = after
    return async () => {
      const { store, owners, signal } = this.#settings
      const concepts = [planConcept.name, stepConcept.name, mailboxName, scheduleName]
      for await (const event of store.log.feed({ owner: owners, after: seen, concepts, signal })) {
        this.#noteEvent(event)
        seen = event.node.seq
      }
    }
  }

  /** Sleeps until a timer is due, then handles it. */
  async keep(): Promise<void> {
    const { signal, runtime, keeper, onRest } = this.#settings
    const ms = await this.#untilNext()
    this.#asleepUntil = runtime.now() + ms
    await this.#wake.wait(ms, signal)
    this.#asleepUntil = 0
    if (signal.aborted) return
    const now = runtime.now()
    await this.#lookAtDirty(now)
    if (this.#dirty.size === 0) onRest()
    if (this.#others.size > 0) await keeper.recover()
    if (this.#schedulesWait) await this.#attendSchedules()
    const { due, written } = await keeper.attend()
    // A rate limit may let steps through again. They have no timer of their own.
    if (this.#settings.sessions.now() >= this.#nextDue) this.#settings.onReady()
    // Timers are due, but other workers handle them, or they cannot be handled yet. Waiting avoids a busy loop.
    this.#notBefore = due > 0 && written === 0 ? now + watchOthersMs : 0
  }

  async #attendSchedules(): Promise<void> {
    this.#schedulesWait = false
    await this.#settings.keeper.attendSchedules()
  }

  async #lookAtDirty(now: number): Promise<void> {
    this.#looking = true
    try {
      for (const [planId, { owner, at }] of this.#dirty)
        if (at <= now) {
          this.#dirty.delete(planId)
          await this.#giveWay()
          await this.#settings.keeper.lookAtFree(owner, planId)
        }
    } finally {
      this.#looking = false
    }
  }

  /** Looks at plans that nobody looked at, then pauses. */
  async sweep(): Promise<void> {
    const { runtime, keeper, pollMs, signal, onReady } = this.#settings
    if (!this.#swept) await this.#letClaimsGoFirst()
    const began = runtime.now()
    await keeper.attendSchedules()
    await this.#sweep.pass()
    await this.noteOthers()
    this.#swept = true
    onReady()
    const took = runtime.now() - began
    await runtime.sleep(Math.max(this.#jittered(pollMs), took * sweepShare), signal).catch(() => undefined)
  }

  async #letClaimsGoFirst(): Promise<void> {
    const { runtime, signal, untilRest } = this.#settings
    const over = new AbortController()
    const enough = runtime.sleep(claimsFirstMs, AbortSignal.any([signal, over.signal])).catch(() => undefined)
    await Promise.race([untilRest(), enough])
    over.abort()
  }

  /** Notes steps that other sessions claimed while this process did not listen. */
  async noteOthers(): Promise<void> {
    const { store, owners, sessions } = this.#settings
    this.#others.clear()
    for (const owner of owners) {
      const query = { owner, concepts: [stepConcept.name], status: 'running', limit: 500 }
      for await (const { id } of scanHeads(store.log, query)) if (sessions.find(id) === undefined) this.#others.add(id)
    }
  }

  #noteEvent(event: FeedEvent): void {
    const { node } = event
    if (node.concept === scheduleName) {
      this.#noteSchedule(node.status === 'waiting')
      return
    }
    this.#sweep.note(event)
    if (node.concept === planConcept.name) this.#notePlan(event)
    else if (node.concept === stepConcept.name) this.#noteStep(node)
    else this.#noteMessage(node)
  }

  #notePlan({ node, oldStatus }: FeedEvent): void {
    const { sessions, dispatcher, onPlan, onReady } = this.#settings
    onPlan(node)
    const { status, paused, parentPlanId, parentStepId, scheduleId } = asPlan(node).payload
    const over = isPlanOver(status)
    if (over) {
      dispatcher.forgetPlan(node.id)
      this.#dirty.delete(node.id)
    }
    for (const claim of sessions.claims)
      if (claim.step.payload.planId === node.id && !over) claim.pause(paused === true)
    if (over && scheduleId !== undefined) this.#noteSchedule(true)
    if (over && parentPlanId !== undefined) this.#look(node.owner, parentPlanId, 0)
    if (over && parentStepId !== undefined) {
      this.#news.noteEnd(node.id)
      sessions.find(parentStepId)?.tellNews()
    }
    // After a resume, steps that waited for it can run. A plan that begins or has ended needs no look.
    if (!over && oldStatus === status) this.#look(node.owner, node.id, 0)
    onReady()
  }

  /** A message to a function: its run here hears it, or a run that waits for it is made ready. */
  #noteMessage({ owner, payload, version }: FeedEvent['node']): void {
    const stepId = String(payload['stepId'])
    this.#news.noteMessage(stepId, version)
    const claim = this.#settings.sessions.find(stepId)
    if (claim === undefined) this.#look(owner, String(payload['planId']), 0)
    else claim.tellNews()
  }

  /** Its timer has moved, or a start that waits may be made. */
  #noteSchedule(mayStart: boolean): void {
    if (mayStart) this.#schedulesWait = true
    this.ring()
  }

  #noteStep(node: FeedEvent['node']): void {
    const { sessions, onReady } = this.#settings
    const claim = sessions.find(node.id)
    const { status, planId, session, waitsFor } = asStep(node).payload
    if (claim !== undefined) void claim.compare(node.version)
    if (status === 'running') {
      // A run of this session may have ended before its event arrives.
      if (claim === undefined && !sessions.isOwn(session)) this.#noteOther(node.id)
      return
    }
    this.#others.delete(node.id)
    const hasMissed = waitsFor?.for === 'function' && this.#news.isMissedBy(node.id, waitsFor)
    if (status === 'pending' || status === 'done' || status === 'failed' || hasMissed)
      this.#look(node.owner, planId, leaveToOthersMs)
    if (status === 'failed' || status === 'blocked') this.ring()
    onReady()
  }

  #noteOther(id: string): void {
    if (this.#others.size === 0) this.ring()
    this.#others.add(id)
  }

  #look(owner: string, planId: string, inMs: number): void {
    const at = this.#settings.runtime.now() + this.#jittered(inMs)
    const known = this.#dirty.get(planId)
    if (known !== undefined && known.at <= at) return
    this.#dirty.set(planId, { owner, at })
    // If the watch is awake, it checks the time itself before it sleeps again.
    if (at < this.#asleepUntil) this.ring()
  }

  async #untilNext(): Promise<number> {
    const { runtime, store, owners, sessions, pollMs } = this.#settings
    const now = runtime.now()
    const due = (await store.work.nextDue({ owners })) ?? Infinity
    this.#nextDue = due
    const times = [
      now + pollMs,
      ...[...this.#dirty.values()].map(({ at }) => at),
      Math.max(this.#notBefore, due - sessions.now() + now),
      ...(this.#others.size > 0 ? [now + this.#jittered(watchOthersMs)] : []),
    ]
    return Math.max(0, Math.min(...times) - now)
  }

  /** Timers and events are handled first. */
  async #giveWay(): Promise<void> {
    const { runtime, signal } = this.#settings
    await runtime.sleep(0, signal)
  }

  #jittered(ms: number): number {
    return ms * (0.75 + this.#settings.runtime.random() / 2)
  }
}
