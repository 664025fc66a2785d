/**
 * Tells those who wait for the end of a plan. However many wait in this process for plans of one owner, one feed is read: with a feed
 * each, every change would be read by all of them.
 */
import type { NodeLog } from '@agentm/nodes'
import { plan as planConcept } from './plan.ts'
import { isPlanOver } from './pure/plan-transitions.ts'

export class PlanEndings {
  readonly #log: Pick<NodeLog, 'feed' | 'position'>
  readonly #owner: string
  readonly #waiting = new Map<string, Set<Waiter>>()
  #reading: Reading | undefined

  constructor(log: Pick<NodeLog, 'feed' | 'position'>, owner: string) {
    this.#log = log
    this.#owner = owner
  }

  /** One for each log and owner. */
  static of(log: Pick<NodeLog, 'feed' | 'position'>, owner: string): PlanEndings {
    const byOwner = known.get(log) ?? new Map<string, PlanEndings>()
    known.set(log, byOwner)
    const endings = byOwner.get(owner) ?? new PlanEndings(log, owner)
    byOwner.set(owner, endings)
    return endings
  }

  /** From when it has resolved, every end is noticed: whoever reads the plan then, and finds it open, waits for `ended`. */
  async watch(planId: string): Promise<EndWatch> {
    let tell = { resolve: (): void => undefined, reject: (_error: unknown): void => undefined }
    const ended = new Promise<void>((resolve, reject) => (tell = { resolve, reject }))
    // Nobody waits for it if the plan has ended already.
    ended.catch(() => undefined)
    const close = this.#add(planId, tell)
    try {
      this.#reading ??= this.#read()
      await this.#reading.begun
    } catch (error) {
      close()
      throw error
    }
    return { ended, giveUp: (reason) => tell.reject(reason), close }
  }

  #add(planId: string, waiter: Waiter): () => void {
    const waiters = this.#waiting.get(planId) ?? new Set()
    this.#waiting.set(planId, waiters.add(waiter))
    return () => {
      waiters.delete(waiter)
      if (waiters.size === 0 && this.#waiting.get(planId) === waiters) this.#waiting.delete(planId)
      if (this.#waiting.size === 0) this.#stop()
    }
  }

  #read(): Reading {
    const stopping = new AbortController()
    const position = this.#log.position()
    const reading: Reading = { begun: position.then(() => undefined), stopping }
    reading.begun.catch(() => undefined)
    void this.#follow(position, stopping.signal)
      .then(() => this.#end(reading, ({ resolve }) => resolve()))
      .catch((error: unknown) => this.#end(reading, ({ reject }) => reject(error)))
    return reading
  }

  async #follow(position: Promise<number>, signal: AbortSignal): Promise<void> {
    const feed = this.#log.feed({ owner: this.#owner, after: await position, concepts: [planConcept.name], signal })
    for await (const { node } of feed) {
      if (!isPlanOver(node.status)) continue
      for (const { resolve } of this.#waiting.get(node.id) ?? []) resolve()
    }
  }

  /** The feed ended by itself, or by a fault, which is that of all who wait. */
  #end(reading: Reading, tell: (waiter: Waiter) => void): void {
    if (this.#reading !== reading) return
    this.#reading = undefined
    for (const waiters of this.#waiting.values()) for (const waiter of waiters) tell(waiter)
  }

  #stop(): void {
    const reading = this.#reading
    this.#reading = undefined
    reading?.stopping.abort(notNeeded)
  }
}

/** Somebody waits for the end of one plan. */
export interface EndWatch {
  /** Resolves when the plan has ended or the store was closed, and rejects with a fault of the feed. */
  readonly ended: Promise<void>
  /** Rejects `ended`. */
  giveUp(reason: unknown): void
  /** To be called when nobody waits any more. */
  close(): void
}

interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface Reading {
  /** From then on every change is noticed. */
  readonly begun: Promise<void>
  readonly stopping: AbortController
}

const known = new WeakMap<object, Map<string, PlanEndings>>()
const notNeeded = new Error('nobody waits for the end of a plan')
