/** What a durable function can do: every wish is recorded in the log once, and is answered from there on every later pass. */
import type { NewPlan } from '../new-plan.ts'
import type { Nature } from '../step-kind.ts'
import type { RetryPolicy, Step } from '../step.ts'
import type { DurableFunction } from './durable.ts'
import type { Span } from './pure/span.ts'

/** What the code of a step gets. */
export interface StepContext {
  /** Which of the things that the function asked for this is, from 0. The same on every pass. */
  readonly position: number
  /** Aborts when the run is cancelled, the step lost a race or took too long, or the worker stops. */
  readonly signal: AbortSignal
  /** How often this step has failed before. */
  readonly attempt: number
  /** The same on every attempt. Give it to services that accept such a key. */
  readonly idempotencyKey: string
  /** What an earlier attempt said last with `beat`. */
  readonly details: unknown
  /** Says that a long step is alive, and how far it is. The details outlive a crash. */
  readonly beat: (details?: unknown) => void
}

/** Options of a step of a function. */
export interface StepOptions<T = unknown> {
  /** What happens if the step runs twice (default: `idempotent`). An `effectful` step records its intent first. */
  readonly nature?: Nature
  /** What happens to an effectful step whose worker is gone (default: `ask`). */
  readonly onUnknown?: Step['onUnknown']
  /** How often a failed step is tried again (default: three failures in all). An error with `retryable: false` is final. */
  readonly retry?: Partial<Omit<RetryPolicy, 'maxCrashes'>>
  /** The step fails after this time. */
  readonly timeout?: Span
  /** The step fails, and is tried again, if it calls `beat` less often than this. */
  readonly beatWithin?: Span
  /** Takes the step back. Called in reverse order if the function fails or is cancelled. */
  readonly undo?: (result: T, step: StepContext) => unknown
}

/** Options of `run.map`. */
export interface MapOptions<T = unknown> extends StepOptions<T> {
  /** How many run at once (default: 4). */
  readonly concurrency?: number
}

/**
 * One run of a durable function, as the function sees it. The code between two calls may run many times, and must not depend on
 * clocks, randomness or the outside world; all of that belongs into steps.
 */
export interface Run {
  /** The id of the run, which is the id of its plan. */
  readonly id: string
  /** Runs `work` and records its result. On every later pass the result comes from the log. */
  step<T>(name: string, work: (step: StepContext) => Promise<T> | T, options?: StepOptions<T>): Promise<T>
  /** One step for each item. Resolves with the results in the order of the items. All are tried; then the first failure is thrown. */
  map<I, T>(
    name: string,
    items: readonly I[],
    work: (item: I, step: StepContext) => Promise<T> | T,
    options?: MapOptions<T>,
  ): Promise<T[]>
  /** Asks a person; with `mayAnswer: 'anyone'`, an agent may answer, too. The run holds no slot while it waits. */
  ask<const A extends string = string>(
    question: string,
    options?: { readonly options?: readonly A[]; readonly mayAnswer?: 'anyone' },
  ): Promise<A>
  /** With a `timeout`, `undefined` if nobody answers in time. */
  ask<const A extends string = string>(
    question: string,
    options: { readonly options?: readonly A[]; readonly timeout: Span; readonly mayAnswer?: 'anyone' },
  ): Promise<A | undefined>
  /** Waits, for days if need be. The run holds no slot, and the wait survives restarts. */
  sleep(span: Span | { readonly until: number | Date }): Promise<void>
  /** The next value that was sent with `handle.signal(name, value)`, in the order of sending. */
  signal<T = unknown>(name: string): Promise<T>
  signal<T = unknown>(name: string, options: { readonly timeout: Span }): Promise<T | undefined>
  /** The first of them that ends. The others are given up: their steps are aborted, their waits end, their children are cancelled. */
  race<P extends Readonly<Record<string, Promise<unknown>>>>(
    promises: P,
  ): Promise<{ [K in keyof P]: { readonly winner: K; readonly value: Awaited<P[K]> } }[keyof P]>
  /** Starts another function as a plan of its own, and waits for its result. Its usage counts in this run's budget. */
  call<I extends Readonly<Record<string, unknown>>, O>(
    child: DurableFunction<I, O>,
    input: I,
    options?: Pick<NewPlan, 'budget'>,
  ): Promise<O>
  /** Runs a plan of steps, such as agents and commands, and gives their results by key. */
  plan(plan: Pick<NewPlan, 'goal' | 'steps' | 'input' | 'budget'>): Promise<Readonly<Record<string, Step['result']>>>
  /** The time of the last thing that was recorded. The same on every pass. */
  now(): number
  /** A number from 0 to 1. The same on every pass. */
  random(): number
  /** A new id in the form of a UUID. The same on every pass. */
  newId(): string
  /** Sends a value to everybody who reads `handle.events()`, once. */
  emit(value: unknown): Promise<void>
  /** Sets what `handle.query(name)` reads. */
  show(name: string, value: unknown): Promise<void>
  /** `true` in runs that had not come this far when the change was made, `false` in runs that had. */
  patched(name: string): Promise<boolean>
}
