/** One thing that a pass of a function asked for, from the wish to its answer. */
import type { Entry, EntryOp } from './entry.ts'
import type { ChildEnd, ChildPlan } from './function-log.ts'
import type { StepContext, StepOptions } from './run.ts'

/** Steps of one `map` share a lane, which bounds how many of them run at once. */
export interface Lane {
  readonly atOnce: number
  running: number
}

export interface StepWork {
  readonly kind: 'step'
  readonly run: (step: StepContext) => unknown
  readonly options: StepOptions<never>
  readonly lane: Lane | undefined
}

/** What has to happen before the function gets its answer. */
export type Work =
  | StepWork
  /** Waits for a time, an answer or a message, whichever it has. */
  | {
      readonly kind: 'wait'
      readonly ms?: number
      readonly until?: number
      readonly allowed?: readonly string[]
      readonly mayAnswer?: 'anyone'
    }
  | { readonly kind: 'call'; readonly child: ChildPlan }
  /** Is only recorded. */
  | { readonly kind: 'note'; readonly value: unknown }

export class Slot {
  readonly position: number
  readonly op: EntryOp
  readonly name: string
  readonly work: Work
  readonly promise: Promise<unknown>
  /** `asked`: not begun in this pass. `live`: its code runs. `waiting`: for something outside. `over`: answered, or given up. */
  state: 'asked' | 'live' | 'waiting' | 'over' = 'asked'
  entry: Entry | undefined
  /** The plan of a child, once it has started. */
  childPlanId: string | undefined
  /** How the child ended. */
  childEnd: ChildEnd | undefined
  /** Why the child is to be cancelled. */
  cancelled: string | undefined
  /** A step that waited may begin now. */
  isDue = false
  /** When its code began, until it is recorded as running. */
  startedAt: number | undefined
  #resolve: (value: unknown) => void = () => undefined
  #reject: (error: unknown) => void = () => undefined
  #stop: AbortController | undefined
  #stopped: Error | undefined

  constructor(asked: Pick<Slot, 'position' | 'op' | 'name' | 'work'>, entry: Entry | undefined) {
    this.position = asked.position
    this.op = asked.op
    this.name = asked.name
    this.work = asked.work
    this.entry = entry
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // The function may wait for it later, or never.
    this.promise.catch(() => undefined)
  }

  /** The cancellation comes from outside, and has no place among what the function asked for. */
  static forCancel(reason: string): Slot {
    return new Slot({ position: -1, op: 'cancel', name: reason, work: { kind: 'note', value: undefined } }, undefined)
  }

  /** Made only on demand, because most steps never use their signal. */
  get signal(): AbortSignal {
    this.#stop ??= new AbortController()
    if (this.#stopped !== undefined) this.#stop.abort(this.#stopped)
    return this.#stop.signal
  }

  stop(reason: Error): void {
    this.#stopped ??= reason
    this.#stop?.abort(reason)
  }

  resolve(value: unknown): void {
    this.state = 'over'
    this.#resolve(value)
  }

  reject(error: unknown): void {
    this.state = 'over'
    this.#reject(error)
  }
}
