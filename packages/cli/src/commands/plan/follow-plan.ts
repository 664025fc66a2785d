/** Watches a plan through the log until it ends, until only a person can move it, or until `signal`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isPlanOver } from '@agentm/harness'
import { type Node, type NodeLog, scanAll } from '@agentm/nodes'
import { planConcept, stepConcept } from './find-row.ts'
import { planState, type PlanSource, type PlanState } from './plan-state.ts'
import type { PlanProgress } from './plan-progress.ts'
import { needsSomebody } from './pure/needs-somebody.ts'

export interface Following {
  readonly source: Omit<PlanSource, 'log'> & { readonly log: NodeLog }
  readonly planId: string
  readonly progress: PlanProgress
  readonly signal: AbortSignal
  /** Also while it waits for somebody. */
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
/** A look reads all of the plan that has not ended, in the process that runs it: it takes at most one part in so many. */
const lookShare = 10
const mostLooksAhead = 20
/** Where nothing runs here or elsewhere: the end of a worker that was waited for is in no feed. */
const stillMs = 3000

class Follower {
  readonly #following: Following
  /** Statuses of the steps, as far as was heard. */
  readonly #steps = new Map<string, string>()
  #heard = false
  /** Something happened that a person should see, or that may have stopped the plan. */
  #isUrgent = false
  /** Looks in a row that knew more than was heard. */
  #looksAhead = 0

  constructor(following: Following) {
    this.#following = following
  }

  async follow(): Promise<Followed> {
    const { source, planId } = this.#following
    const after = await source.log.position()
    const { log, owner } = source
    for (const { id, status } of await scanAll(log, { owner, parent: planId, concepts: [stepConcept] }))
      this.#steps.set(id, status ?? '')
    return (await this.#look()) ?? Promise.race([this.#hear(after), this.#lookNowAndThen()])
  }

  async #hear(after: number): Promise<Followed> {
    const { source, planId, progress, signal } = this.#following
    const feed = source.log.feed({ owner: source.owner, after, concepts: [planConcept, stepConcept], signal })
    for await (const { node, oldStatus } of feed) {
      if (node.id !== planId && node.payload['planId'] !== planId) continue
      progress.event(node, oldStatus)
      if (node.id === planId && isPlanOver(node.status)) return 'ended'
      this.#note(node)
    }
    return 'stopped'
  }

  #note({ id, concept, status = '' }: Node): void {
    if (concept === stepConcept) this.#steps.set(id, status)
    if (concept === planConcept || status === 'blocked') this.#isUrgent = true
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

  /** Nothing runs. What is ready may be of a kind that nobody runs. */
  get #isStill(): boolean {
    for (const status of this.#steps.values()) if (status === 'running') return false
    return true
  }

  /** What ends the watching, or asks somebody, is told after what led there; for a while that is waited for. */
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
