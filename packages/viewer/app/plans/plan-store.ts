/** One plan as the page holds it: read whole once, then only what changed. */
import { signal } from '@preact/signals'
import type { PlanFacts, PlanPage, PlanStandingNow, StepRow } from '../../src/contract/plans.ts'
import { ask } from '../api.ts'
import { setClock } from '../clock.ts'
import { onNews } from '../live.ts'

export interface HeldPlan {
  readonly plan: PlanFacts
  readonly steps: ReadonlyMap<string, StepRow>
  /** Grows with every change, so that an open step knows when to look again. */
  readonly position: number
}

export class PlanStore {
  readonly held = signal<HeldPlan | undefined>(undefined)
  readonly standing = signal<PlanStandingNow | undefined>(undefined)
  readonly error = signal<Error | undefined>(undefined)
  readonly id: string
  readonly #end = new AbortController()
  readonly #unsubscribe: () => void
  #isReading = false
  #isStale = false
  #standingTimer: ReturnType<typeof setTimeout> | undefined

  constructor(id: string) {
    this.id = id
    this.#unsubscribe = onNews((plans) => {
      if (plans === 'all' || plans.includes(id)) this.refresh()
    })
    this.refresh()
  }

  /** One question at a time; news that comes meanwhile is one more question. */
  refresh(): void {
    this.#isStale = true
    if (!this.#isReading) void this.#readAll()
  }

  close(): void {
    this.#unsubscribe()
    this.#end.abort()
    clearTimeout(this.#standingTimer)
  }

  async #readAll(): Promise<void> {
    this.#isReading = true
    while (this.#isStale && !this.#end.signal.aborted) {
      this.#isStale = false
      try {
        await this.#read()
        this.error.value = undefined
      } catch (error) {
        if (!this.#end.signal.aborted) this.error.value = error instanceof Error ? error : new Error(String(error))
      }
    }
    this.#isReading = false
  }

  async #read(): Promise<void> {
    const before = this.held.peek()
    const after = before === undefined ? '' : `?after=${before.position}`
    const page = await ask<PlanPage>(`/api/plans/${encodeURIComponent(this.id)}${after}`, this.#end.signal)
    setClock(page.now)
    const steps = new Map(page.isWhole ? [] : before?.steps)
    for (const step of page.steps) steps.set(step.id, step)
    this.held.value = { plan: page.plan, steps, position: page.position }
    this.#standingTimer ??= setTimeout(() => void this.#readStanding(), before === undefined ? 0 : 700)
  }

  /** It reads more than the plan does, so it is asked for less often: at most a tenth of the time. */
  async #readStanding(): Promise<void> {
    const began = performance.now()
    try {
      const address = `/api/plans/${encodeURIComponent(this.id)}/standing`
      this.standing.value = await ask<PlanStandingNow>(address, this.#end.signal)
    } catch {
      // The plan itself says what is wrong.
    }
    const position = this.held.peek()?.position
    this.#standingTimer = setTimeout(
      () => {
        this.#standingTimer = undefined
        if (this.held.peek()?.position !== position && !this.#end.signal.aborted) void this.#readStanding()
      },
      Math.max(1_000, (performance.now() - began) * 10),
    )
  }
}
