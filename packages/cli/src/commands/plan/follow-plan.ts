/** Watches a plan through the log until it ends, until it waits for a person, or until `signal` aborts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isPlanOver, type PlanEvent } from '@agentm/harness'
import type { Node } from '@agentm/nodes'
import type { PlansReader } from '@agentm/workspace/reader'
import { planState, type PlanSource, type PlanState } from './plan-state.ts'
import type { PlanProgress } from './plan-progress.ts'
import { needsSomebody } from './pure/needs-somebody.ts'

export interface Following {
  readonly source: PlanSource & {
    readonly harness: Pick<PlansReader['harness'], 'follow' | 'steps'>
    readonly work: Pick<PlansReader['work'], 'now'>
  }
  readonly planId: string
  readonly progress: PlanProgress
  readonly signal: AbortSignal
  /** Keep watching while the plan waits for a person. */
  readonly stays: boolean
}

export type Followed = 'ended' | 'waits' | 'stopped'

export async function followPlan(following: Following): Promise<Followed> {
  const over = new AbortController()
  const follower = new Follower({ ...following, signal: AbortSignal.any([following.signal, over.signal]) })
  try {
    return await follower.follow()
  } finally {
    over.abort()
  }
}

const leastPauseMs = 100
/** Reading the state of a plan takes time in the process that runs it: at most one tenth of the time is spent on that. */
const lookShare = 10
const mostLooksAhead = 20
/** How often to look while no step runs: the death of a worker is not an event in the log. */
const stillMs = 3000

class Follower {
  readonly #following: Following
  /** The status of each step, according to the events so far. */
  readonly #steps = new Map<string, string>()
  #heard = false
  /** An event that a person should see at once, or that may have stopped the plan. */
  #isUrgent = false
  /** How many times in a row the log was ahead of the events. */
  #looksAhead = 0

  constructor(following: Following) {
    this.#following = following
  }

  async follow(): Promise<Followed> {
    const { source, planId, signal } = this.#following
    // Subscribed before the first look, so that no event is missed between the two.
    const events = source.harness.follow(planId, { signal })
    for (const { id, payload } of await source.harness.steps(planId)) this.#steps.set(id, payload.status)
    return (await this.#look()) ?? Promise.race([this.#hear(events), this.#lookNowAndThen()])
  }

  async #hear(events: AsyncIterable<PlanEvent>): Promise<Followed> {
    const { planId, progress } = this.#following
    for await (const { node, oldStatus, asks, isNews } of events) {
      if (isNews && !asks) progress.event(node, oldStatus)
      if (isNews && node.id === planId && isPlanOver(node.status)) return 'ended'
      if (asks) this.#isUrgent = this.#heard = true
      else if (isNews) this.#isHeard(node, planId)
      else if (node.id !== planId) this.#steps.set(node.id, node.status ?? '')
    }
    return 'stopped'
  }

  #isHeard({ id, status = '' }: Node, planId: string): void {
    if (id !== planId) this.#steps.set(id, status)
    if (id === planId || status === 'blocked') this.#isUrgent = true
    this.#heard = true
  }

  async #lookNowAndThen(): Promise<Followed> {
    const { progress, signal } = this.#following
    let pauseMs = leastPauseMs
    let looked = performance.now()
    for (;;) {
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return 'stopped'
      const isDue = this.#heard
        ? this.#isUrgent || progress.isLive || this.#isStill
        : this.#isStill && performance.now() - looked > stillMs
      if (!isDue) continue
      this.#heard = this.#isUrgent = false
      const began = performance.now()
      const verdict = await this.#look()
      if (verdict !== undefined) return verdict
      looked = performance.now()
      pauseMs = Math.max(leastPauseMs, (looked - began) * lookShare)
    }
  }

  /** No step runs. Ready steps may be of a kind that no worker runs. */
  get #isStill(): boolean {
    for (const status of this.#steps.values()) if (status === 'running') return false
    return true
  }

  /** An end or a question is shown after the events that led to it, so it waits a moment for late events. */
  #isAhead({ status, steps, waiting }: PlanState): boolean {
    if (!isPlanOver(status) && !waiting.some(({ ask }) => ask !== undefined)) return false
    const heard = [...this.#steps.values()]
    const isBehind = Object.entries(steps).some(
      ([name, count]) => heard.filter((each) => each === name).length !== count,
    )
    this.#looksAhead = isBehind ? this.#looksAhead + 1 : 0
    return isBehind && this.#looksAhead <= mostLooksAhead
  }

  async #look(): Promise<Followed | undefined> {
    const { source, planId, progress, stays } = this.#following
    const state = await planState(source, planId)
    if (this.#isAhead(state)) {
      this.#heard = this.#isUrgent = true
      return undefined
    }
    progress.show(state, await source.work.now())
    if (isPlanOver(state.status)) return 'ended'
    return !stays && needsSomebody(state) ? 'waits' : undefined
  }
}
