/**
 * The indexes of a store, for a plan that runs in memory: the number of steps in each status, the open dependencies of each step,
 * and the steps that a decision must look at. A change costs time in proportion to the dependents of the step.
 */
import { waitsForDependencies } from '../../pure/plan-verdict.ts'
import type { StepView } from '../../pure/plan-view.ts'
import type { Step } from '../../step.ts'
import type { StepStatus } from '../../pure/step-transitions.ts'

export interface IndexedStep {
  readonly id: string
  readonly version: number
  readonly payload: Step
}

export class StepIndex {
  readonly #steps: readonly IndexedStep[]
  readonly #place = new Map<string, number>()
  readonly #dependents = new Map<string, string[]>()
  readonly #remaining = new Map<string, number>()
  readonly #status = new Map<string, StepStatus>()
  /** Positions of steps that may need an action, without ready steps. */
  readonly #awake = new Set<number>()
  /** Positions of ready steps, in order. */
  readonly #ready: number[] = []
  readonly counts: Partial<Record<StepStatus, number>> = {}

  /** The steps are changed in place; `note` names the step that changed. */
  constructor(steps: readonly IndexedStep[]) {
    this.#steps = steps
    for (const [place, { id, payload }] of steps.entries()) {
      this.#place.set(id, place)
      const targets = new Set(payload.dependsOn)
      this.#remaining.set(id, targets.size)
      for (const target of targets) {
        const others = this.#dependents.get(target)
        if (others === undefined) this.#dependents.set(target, [id])
        else others.push(id)
      }
    }
    for (const step of steps) this.note(step)
  }

  note({ id, payload: { status } }: IndexedStep): void {
    const was = this.#status.get(id)
    this.#status.set(id, status)
    this.#count(was, -1)
    this.#count(status, 1)
    this.#list(id)
    if (status !== 'done' || was === 'done') return
    for (const dependent of this.#dependents.get(id) ?? []) {
      this.#remaining.set(dependent, (this.#remaining.get(dependent) ?? 0) - 1)
      this.#list(dependent)
    }
  }

  /** Steps that may need an action, with at most `ready` ready steps, in the order of the plan. */
  views(ready: number): readonly StepView[] {
    const places = [...this.#awake, ...this.#ready.slice(0, Math.max(0, ready))].toSorted((a, b) => a - b)
    return places.flatMap((place) => {
      const step = this.#steps[place]
      return step === undefined ? [] : [{ ...step, remaining: this.#remaining.get(step.id) ?? 0 }]
    })
  }

  #count(status: StepStatus | undefined, by: 1 | -1): void {
    if (status === undefined) return
    const count = (this.counts[status] ?? 0) + by
    if (count > 0) this.counts[status] = count
    else delete this.counts[status]
  }

  #list(id: string): void {
    const place = this.#place.get(id) ?? 0
    const step = this.#steps[place]
    if (step === undefined) return
    if (isAwake({ ...step, remaining: this.#remaining.get(id) ?? 0 })) this.#awake.add(place)
    else this.#awake.delete(place)
    const at = lowerBound(this.#ready, place)
    const listed = this.#ready[at] === place
    if (step.payload.status === 'ready' && !listed) this.#ready.splice(at, 0, place)
    else if (step.payload.status !== 'ready' && listed) this.#ready.splice(at, 1)
  }
}

function isAwake(step: StepView): boolean {
  const { status, retryAt } = step.payload
  if (waitsForDependencies(step)) return step.remaining === 0
  return status === 'running' || status === 'blocked' || (status === 'failed' && retryAt !== undefined)
}

function lowerBound(sorted: readonly number[], wanted: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
