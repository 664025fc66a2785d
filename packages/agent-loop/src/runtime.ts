/** Clock, randomness, waiting and processes as arguments, so that a test can control them. */
import type { StoreRuntime } from '@agentm/nodes'
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnProgram } from './programs/spawn-program.ts'

/** Clock, randomness, timers and processes as arguments, so that a test controls them. */
export interface Runtime extends StoreRuntime {
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess
}

/** The real clock, randomness, timers and processes. */
export const systemRuntime: Runtime = {
  now: Date.now,
  random: Math.random,
  newId: randomUUID,
  sleep: async (ms, signal) => {
    const options = signal === undefined ? {} : { signal }
    let left = ms
    for (; left > longestTimerMs; left -= longestTimerMs) await sleep(longestTimerMs, undefined, options)
    await sleep(left, undefined, options)
  },
  spawn: spawnProgram,
}

/** A longer timer in Node fires at once. */
const longestTimerMs = 2 ** 31 - 1
