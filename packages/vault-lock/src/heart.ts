/**
 * One timer sends the heartbeats of all locks that this process holds, because one timer per lock would cost more than taking the lock. The
 * first heartbeat of a lock comes early. The timer stops when no lock is held.
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

/** One entry for each clock. Only tests use another clock than the real one. */
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
