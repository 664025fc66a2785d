/** Clock, randomness, ids and processes as an argument, so that a test controls them. */
import { randomUUID } from 'node:crypto'
import { nodeProcesses, type Processes } from './processes.ts'
import { nodeSurroundings, type Surroundings } from './surroundings.ts'

/** Clock, randomness and processes as an argument, so that a test controls them. */
export interface LockRuntime {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since any fixed moment. Never goes back. */
  monotonic(): number
  /** Resolves after `ms`, or at once when the signal aborts. With `keepsAlive: false` the process may end meanwhile. */
  sleep(ms: number, signal?: AbortSignal, options?: { readonly keepsAlive?: boolean }): Promise<void>
  /** At least 0, less than 1. */
  random(): number
  /** Never the same text twice, on any machine; letters, digits and `-`. */
  newId(): string
  readonly processes: Processes
  readonly surroundings: () => Surroundings
}

/** The real clock, random numbers and process table. */
export const nodeRuntime: LockRuntime = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal, { keepsAlive = true } = {}) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve()
      const timer = setTimeout(done, ms)
      if (!keepsAlive) timer.unref()
      signal?.addEventListener('abort', done, { once: true })
      function done(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
    }),
  random: () => Math.random(),
  newId: () => randomUUID(),
  processes: nodeProcesses,
  surroundings: nodeSurroundings,
}
