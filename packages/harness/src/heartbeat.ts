/**
 * Keeps a session alive: it renews the lease of all claims of a process again and again. It is an interface, so that the heartbeat
 * can run in its own thread if a second connection to the store is possible there.
 */
import type { Renewal, WorkLog } from '@agentm/nodes'
import type { Runtime } from '@agentm/agent-loop'
import { Wake } from './wake.ts'

export interface Beat {
  readonly session: string
  readonly leaseMs: number
  /** The time between renewals. It is read before each renewal. */
  readonly everyMs: () => number
  /** Called with each renewal and the time at which it began, by the local clock. */
  readonly onRenewal: (renewal: Renewal, startedAt: number) => void
  /** Called when the store no longer knows the session. */
  readonly onLost: () => void
  readonly onError: (error: unknown) => void
}

export interface Beating {
  /** Renews as soon as `everyMs` now says: at once, or after the rest of that time. */
  hurry(): void
  stop(): Promise<void>
}

/** Renews the lease of a worker session. A worker uses one in its own thread when the store can be opened there. */
export interface Heartbeat {
  start(beat: Beat): Beating
}

/** Renews on the event loop of this process. If the loop is blocked, renewals are missed and the process loses its claims. */
export function timerHeartbeat(work: Pick<WorkLog, 'renew'>, runtime: Pick<Runtime, 'now' | 'sleep'>): Heartbeat {
  return {
    start(beat) {
      const stopping = new AbortController()
      const wake = new Wake(runtime)
      const running = beatUntil(work, { beat, runtime, wake, signal: stopping.signal })
      return {
        hurry: () => wake.ring(),
        async stop() {
          stopping.abort()
          await running
        },
      }
    },
  }
}

interface Beater {
  readonly beat: Beat
  readonly runtime: Pick<Runtime, 'now' | 'sleep'>
  readonly wake: Wake
  readonly signal: AbortSignal
}

async function beatUntil(work: Pick<WorkLog, 'renew'>, { beat, runtime, wake, signal }: Beater): Promise<void> {
  for (let startedAt = runtime.now(); ;) {
    // The time is read again at each ring. A worker with one slot rings once per step, and must not cause a renewal each time.
    for (let left = beat.everyMs(); left > 0 && !signal.aborted; left = startedAt + beat.everyMs() - runtime.now())
      await wake.wait(left, signal)
    if (signal.aborted) return
    startedAt = runtime.now()
    try {
      const renewal = await work.renew(beat.session, { leaseMs: beat.leaseMs })
      if (signal.aborted) return
      if (renewal === undefined) return beat.onLost()
      beat.onRenewal(renewal, startedAt)
    } catch (error) {
      beat.onError(error)
    }
  }
}
