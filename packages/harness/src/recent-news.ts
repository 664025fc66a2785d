/**
 * Messages to functions, and ends of the plans that they wait for, as the feed brought them lately. A run that gives up its slot at that
 * moment may not have heard of them, and its worker may die before it looks again; whoever sees the run block then knows.
 */
import type { FunctionWait } from './step.ts'

/** News are needed only while a run that was working when they came is still working. */
const mostRemembered = 10_000

export class RecentNews {
  readonly #messages = new Map<string, number>()
  readonly #ended = new Set<string>()

  /** The mailbox of the step came to this version. */
  noteMessage(stepId: string, version: number): void {
    this.#messages.delete(stepId)
    this.#messages.set(stepId, version)
    forgetOldest(this.#messages)
  }

  noteEnd(planId: string): void {
    this.#ended.add(planId)
    forgetOldest(this.#ended)
  }

  /** Whether the run waits for something that has already come. */
  isMissedBy(stepId: string, { heard, plans = [] }: FunctionWait): boolean {
    return (this.#messages.get(stepId) ?? 0) > heard || plans.some((id) => this.#ended.has(id))
  }
}

function forgetOldest(kept: Map<string, number> | Set<string>): void {
  if (kept.size <= mostRemembered) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
