/**
 * What keeps a session alive: one renewal, again and again, for all claims of a process. Behind a port, so that it can
 * beat in a thread of its own where a store can be opened there a second time.
 */
import type { Renewal, WorkLog } from '@agentm/nodes'
import type { Runtime } from './runtime.ts'
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
  /** Renews now, and from now on by the rhythm `everyMs` gives. */
  hurry(): void
  stop(): Promise<void>
}

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
  for (;;) {
    await wake.wait(beat.everyMs(), signal)
    if (signal.aborted) return
    const startedAt = runtime.now()
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
