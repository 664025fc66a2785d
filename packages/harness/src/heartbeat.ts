/**
 * What keeps a session alive: one renewal, again and again, for all claims of a process. Behind a port, so that it can
 * beat in a thread of its own where a store can be opened there a second time.
 */
import type { Renewal, WorkLog } from '@agentm/nodes'
import type { Runtime } from '@agentm/agent-loop'
import { Wake } from './wake.ts'

export interface Beat {
  readonly session: string
  readonly leaseMs: number
  /** Between renewals; asked before each. */
  readonly everyMs: () => number
  /** A renewal that began at `startedAt`, by the local clock. */
  readonly onRenewal: (renewal: Renewal, startedAt: number) => void
  /** The store knows no such session any more. */
  readonly onLost: () => void
  readonly onError: (error: unknown) => void
}

export interface Beating {
  /** Renews as soon as the rhythm that `everyMs` gives by now says: at once, or once that long has passed. */
  hurry(): void
  stop(): Promise<void>
}

/** Renews the lease of a worker session. A worker uses one in its own thread when the store can be opened there. */
export interface Heartbeat {
  start(beat: Beat): Beating
}

/** Beats on the event loop of this process: a blocked loop misses its renewals, and loses its claims. */
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
    // Asked again at every ring: going from idle to busy is one for every step of a worker with one slot, and no renewal each.
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
