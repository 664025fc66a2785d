/**
 * Time for tests of plans and durable functions. It passes only when nothing is left to do, so a month of waiting takes no longer than
 * the work done in it.
 */
import { systemRuntime, type Runtime } from '@agentm/agent-loop'
import type { Heartbeat } from '../heartbeat.ts'
import type { WorkerOptions } from '../worker.ts'
import { seededRandom } from './pure/seeded-random.ts'
import { TimeDriver } from './time-driver.ts'
import { TimerQueue } from './timer-queue.ts'

/** Options of `virtualTime`. */
export interface VirtualTimeOptions {
  /** The time at which it begins (default: 1 January 2026, UTC). */
  readonly start?: Date | number
  /** The same seed gives the same random numbers (default: 1). */
  readonly seed?: number
}

/** A clock that a test moves. */
export interface VirtualTime {
  /** For the store, so that its clock is this one: `createInMemoryStore({ concepts, runtime })`, `openSqliteStore({ …, runtime })`. */
  readonly runtime: Runtime
  /** For `startWorker({ …, ...time.worker })`: its clock is this one, and its lease does not end while time jumps ahead. */
  readonly worker: Required<Pick<WorkerOptions, 'runtime' | 'leaseMs' | 'pollMs' | 'heartbeat'>>
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Lets time pass until the promise settles, and returns its value. Rejects if it is still pending after `withinMs` (default: ten
   * years).
   */
  until<T>(promise: Promise<T>, options?: { readonly withinMs?: number }): Promise<T>
  /** Lets this many milliseconds pass. */
  pass(ms: number): Promise<void>
  /** Time stands still until this work ends. For steps that wait for a real file, network or timer. */
  real<T>(work: Promise<T>): Promise<T>
}

/**
 * Time that passes only when nothing is left to do. For stores that work in this process: in memory, or on one SQLite file. Time does
 * not wait for work that the event loop waits for, such as a file or the network, unless it is wrapped in `real`.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts, openHarness, startWorker } from '@agentm/harness'
 * import { virtualTime } from '@agentm/harness/testing'
 *
 * const time = virtualTime({ start: new Date('2026-03-01') })
 * const store = createInMemoryStore({ concepts: harnessConcepts, runtime: time.runtime })
 * const late = { name: 'late', run: async () => ({ end: 'done' as const }) }
 * const harness = openHarness({ store, owner: 'ada', actor: 'test' })
 * const worker = await startWorker({ store, owners: ['ada'], kinds: [late], ...time.worker })
 * const { planId } = await harness.createPlan({ goal: 'wait', steps: [{ key: 'a', title: 'a', kind: 'late' }] })
 * console.log((await time.until(harness.ended(planId))).status) // done
 * await time.until(worker.stop())
 * ```
 */
export function virtualTime({ start = Date.UTC(2026, 0, 1), seed = 1 }: VirtualTimeOptions = {}): VirtualTime {
  const timers = new TimerQueue(Number(start))
  const driver = new TimeDriver(timers)
  const runtime: Runtime = {
    ...systemRuntime,
    now: () => timers.now,
    random: seededRandom(seed),
    sleep: async (ms, signal) => timers.sleep(ms, signal),
  }
  return {
    runtime,
    worker: { runtime, leaseMs: hundredYearsMs, pollMs: hundredYearsMs, heartbeat: noHeartbeat },
    now: () => timers.now,
    async until(promise, { withinMs = tenYearsMs } = {}) {
      const inTime = await driver.drive({ limit: timers.now + withinMs, until: promise })
      if (!inTime) throw stillPending(withinMs)
      return promise
    },
    async pass(ms) {
      await driver.drive({ limit: timers.now + ms })
    },
    async real(work) {
      return driver.hold(work)
    },
  }
}

function stillPending(withinMs: number): Error {
  return new Error(
    `The promise was still pending after ${withinMs / dayMs} days of virtual time. Probably a run waits for a signal or an answer that nobody gives; send it before you call until().`,
  )
}

/** Nobody else takes over the claims of a test, and a renewal every few seconds would make a month long. */
const noHeartbeat: Heartbeat = { start: () => ({ hurry: () => undefined, stop: async () => undefined }) }

const dayMs = 24 * 60 * 60_000
const tenYearsMs = 3650 * dayMs
const hundredYearsMs = 10 * tenYearsMs
