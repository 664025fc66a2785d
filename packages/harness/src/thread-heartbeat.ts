/**
 * A heartbeat in its own thread, so that code that blocks the event loop does not cost the session its lease. The thread opens the
 * store a second time, so the store must be one that a path or an address can open; `startThread` names the module that opens it.
 * The heartbeat keeps a process with a blocked event loop alive for at most one lease. After that the process counts as dead.
 */
import type { Renewal, WorkLog } from '@agentm/nodes'
import { type MessagePort, parentPort, type Worker } from 'node:worker_threads'
import { type Beat, type Beating, type Heartbeat, timerHeartbeat } from './heartbeat.ts'
import { type Runtime, systemRuntime } from '@agentm/agent-loop'

type ToThread =
  | { readonly say: 'start'; readonly session: string; readonly leaseMs: number; readonly everyMs: number }
  | { readonly say: 'alive' | 'hurry'; readonly everyMs: number }
  | { readonly say: 'stop' }

type FromThread =
  | { readonly say: 'renewal'; readonly renewal: Renewal; readonly startedAt: number }
  | { readonly say: 'lost' | 'stopped' }
  | { readonly say: 'error'; readonly message: string; readonly code?: string }

export interface ThreadHeartbeatOptions {
  /** Starts a thread whose module opens the same store and calls `beatInThread`. */
  readonly startThread: () => Worker
  readonly runtime?: Pick<Runtime, 'sleep'>
}

/**
 * A heartbeat in a thread of its own. A step that blocks the event loop then does not lose the worker session at once:
 * the lease is kept for one more lease time at most.
 *
 * @example
 * ```ts
 * import { threadHeartbeat } from '@agentm/harness'
 * import { Worker } from 'node:worker_threads'
 *
 * // The module opens the same store and calls `beatInThread(store.work)`.
 * const heartbeat = threadHeartbeat({ startThread: () => new Worker(new URL('./beat.js', import.meta.url)) })
 * ```
 */
export function threadHeartbeat({ startThread, runtime = systemRuntime }: ThreadHeartbeatOptions): Heartbeat {
  return {
    start(beat) {
      const thread = startThread()
      const send = (message: ToThread) => thread.postMessage(message, [])
      const over = new AbortController()
      // The listener is added at the start, because a thread that cannot open the store exits before it is asked to stop.
      const gone = new Promise<unknown>((resolve) => thread.once('exit', resolve))
      thread.on('message', (message: FromThread) => hear(message, beat))
      thread.on('error', (error) => beat.onError(error))
      send({ say: 'start', session: beat.session, leaseMs: beat.leaseMs, everyMs: beat.everyMs() })
      void showLife({ send, beat, runtime, signal: over.signal })
      return stoppable({ thread, gone, send, beat, over })
    },
  }
}

function hear(message: FromThread, beat: Beat): void {
  if (message.say === 'renewal') beat.onRenewal(message.renewal, message.startedAt)
  else if (message.say === 'lost') beat.onLost()
  else if (message.say === 'error') beat.onError(Object.assign(new Error(message.message), { code: message.code }))
}

/** The event loop that sends this message is the one that runs the steps. */
async function showLife(options: {
  readonly send: (message: ToThread) => void
  readonly beat: Beat
  readonly runtime: Pick<Runtime, 'sleep'>
  readonly signal: AbortSignal
}): Promise<void> {
  const { send, beat, runtime, signal } = options
  while (!signal.aborted) {
    await runtime.sleep(beat.leaseMs / 8, signal).catch(() => undefined)
    if (!signal.aborted) send({ say: 'alive', everyMs: beat.everyMs() })
  }
}

function stoppable(options: {
  readonly thread: Worker
  readonly gone: Promise<unknown>
  readonly send: (message: ToThread) => void
  readonly beat: Beat
  readonly over: AbortController
}): Beating {
  const { thread, gone, send, beat, over } = options
  return {
    hurry: () => send({ say: 'hurry', everyMs: beat.everyMs() }),
    async stop() {
      over.abort()
      thread.removeAllListeners('message')
      send({ say: 'stop' })
      await gone
    },
  }
}

/**
 * The code in the thread. The entry module calls it once the store is open. It resolves when it is asked to stop.
 *
 * @example
 * ```ts
 * import { beatInThread, harnessConcepts } from '@agentm/harness'
 * import { openSqliteStore } from '@agentm/nodes-sqlite'
 *
 * const store = await openSqliteStore({ path: 'plans.db', concepts: harnessConcepts })
 * await beatInThread(store.work)
 * await store.close()
 * ```
 */
export async function beatInThread(
  work: Pick<WorkLog, 'renew'>,
  runtime: Pick<Runtime, 'now' | 'sleep'> = systemRuntime,
): Promise<void> {
  const port = parentPort
  if (port === null) throw new TypeError('beatInThread is called in a worker thread')
  await new Promise<void>((resolve) => {
    const side = new ThreadSide(port, work, runtime)
    const listen = (message: ToThread): void => {
      if (message.say !== 'stop') return side.hear(message)
      // A port without a listener does not keep a thread alive. Deno's cannot be closed.
      port.off('message', listen)
      void side.stop().then(resolve)
    }
    port.on('message', listen)
  })
}

class ThreadSide {
  readonly #port: MessagePort
  readonly #work: Pick<WorkLog, 'renew'>
  readonly #runtime: Pick<Runtime, 'now' | 'sleep'>
  #beating: Beating | undefined
  #everyMs = 0
  #aliveAt = 0

  constructor(port: MessagePort, work: Pick<WorkLog, 'renew'>, runtime: Pick<Runtime, 'now' | 'sleep'>) {
    this.#port = port
    this.#work = work
    this.#runtime = runtime
  }

  hear(message: Exclude<ToThread, { say: 'stop' }>): void {
    this.#aliveAt = this.#runtime.now()
    this.#everyMs = message.everyMs
    if (message.say === 'start') this.#start(message)
    else if (message.say === 'hurry') this.#beating?.hurry()
  }

  async stop(): Promise<void> {
    await this.#beating?.stop()
  }

  #start({ session, leaseMs }: Extract<ToThread, { say: 'start' }>): void {
    const say = (message: FromThread) => this.#port.postMessage(message, [])
    const heard = () => this.#runtime.now() - this.#aliveAt <= leaseMs
    const renew: WorkLog['renew'] = async (id, options) => {
      if (heard()) return this.#work.renew(id, options)
      throw new Error('the event loop of this worker has been blocked for a whole lease')
    }
    this.#beating = timerHeartbeat({ renew }, this.#runtime).start({
      session,
      leaseMs,
      everyMs: () => this.#everyMs,
      onRenewal: (renewal, startedAt) => say({ say: 'renewal', renewal, startedAt }),
      onLost: () => say({ say: 'lost' }),
      onError: (error) => say({ say: 'error', ...factsOf(error) }),
    })
  }
}

/** Error classes are lost between threads, but callers compare codes, so message and code are copied. */
function factsOf(error: unknown): { readonly message: string; readonly code?: string } {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message } = error
  return 'code' in error && typeof error.code === 'string' ? { message, code: error.code } : { message }
}
