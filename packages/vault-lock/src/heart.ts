/**
 * One timer for the heartbeats of all locks that this process holds: one for each would cost more than a lock does. The first beat of a
 * lock comes early, and the timer stops when it finds none.
 */
import { heartbeatMs } from './pure/liveness.ts'
import type { LockRuntime } from './runtime.ts'

interface Beating {
  beat(): void
}

interface Heart {
  readonly held: Set<Beating>
  isRunning: boolean
}

/** Per clock, which only tests replace. */
const hearts = new WeakMap<LockRuntime, Heart>()

export function keepAlive(lock: Beating, runtime: LockRuntime): void {
  const heart = hearts.get(runtime) ?? { held: new Set(), isRunning: false }
  hearts.set(runtime, heart)
  heart.held.add(lock)
  if (!heart.isRunning) void run(heart, runtime)
}

export function letDie(lock: Beating, runtime: LockRuntime): void {
  hearts.get(runtime)?.held.delete(lock)
}

async function run(heart: Heart, runtime: LockRuntime): Promise<void> {
  heart.isRunning = true
  while (heart.held.size > 0) {
    await runtime.sleep(heartbeatMs, undefined, { keepsAlive: false })
    for (const lock of heart.held) lock.beat()
  }
  heart.isRunning = false
}
