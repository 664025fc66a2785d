/** Runs the code of a function against a recorded history, without a store and without any effect: does it still ask for the same? */
import { systemRuntime } from '@agentm/agent-loop'
import type { DurableFunction } from './durable.ts'
import type { FunctionLog, Recorded } from './function-log.ts'
import { Pass } from './pass.ts'
import { runBody } from './run-function.ts'
import { thrownFacts } from './step-work.ts'

/** What a run recorded, as `handle.history()` gives it. It is JSON, so it can be kept as a file for tests. */
export interface FunctionHistory {
  readonly run: string
  /** The run whose recorded beginning this one repeats, if it is a fork. */
  readonly seed?: string
  /** The step kind, which names the function and its version. */
  readonly kind: string
  readonly input: Readonly<Record<string, unknown>>
  readonly startedAt: number
  readonly entries: readonly Recorded[]
}

/** How far a replay came: the function ended, or it waits for something that the history does not hold (`open`). */
export interface FunctionReplay {
  readonly ended: 'done' | 'failed' | 'cancelled' | 'open'
  /** What the function returned. */
  readonly value?: unknown
  /** Why it failed. */
  readonly error?: string
}

/**
 * Runs a function against the history of a run that began with older code. Throws `NONDETERMINISM` if the code would not carry the
 * run on. Nothing is executed: steps get what was recorded, and nothing new begins.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { durable, harnessConcepts, openHarness, replayAgainst, startWorker } from '@agentm/harness'
 * import { z } from 'zod'
 *
 * const shape = { input: z.object({}) }
 * const release = durable('release', shape, async (run) => run.step('notes', () => 'fixed two bugs'))
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const worker = await startWorker({ store, owners: ['ada'], kinds: [release] })
 * const handle = await openHarness({ store, owner: 'ada', actor: 'docs' }).start(release, {})
 * await handle.result()
 * await worker.stop()
 *
 * const history = await handle.history()
 * console.log((await replayAgainst(history, release)).ended) // done
 * const renamed = durable('release', shape, async (run) => run.step('write notes', () => 'fixed two bugs'))
 * await replayAgainst(history, renamed).catch(({ code }) => console.log(code)) // NONDETERMINISM
 * ```
 */
export async function replayAgainst<I extends Readonly<Record<string, unknown>>, O>(
  history: FunctionHistory,
  durable: DurableFunction<I, O>,
): Promise<FunctionReplay> {
  const pass = new Pass({
    log: historyLog(history),
    runtime: systemRuntime,
    id: history.run,
    ...(history.seed !== undefined && { seed: history.seed }),
    startedAt: history.startedAt,
    signal: new AbortController().signal,
  })
  const end = await pass.replay((code) => runBody(durable, code, history.input))
  if (end === undefined) return { ended: 'open' }
  if (end.end === 'done') return { ended: 'done', value: end.value }
  return { ended: end.end, error: end.end === 'cancelled' ? end.reason : thrownFacts(end.error).message }
}

/** A replay begins nothing, so that only what was recorded is ever read. */
function historyLog({ entries, startedAt }: FunctionHistory): FunctionLog {
  return {
    now: () => startedAt,
    entries: async () => entries,
    messages: refuse,
    write: refuse,
    draftsOf: refuse,
    startChild: refuse,
    childEnd: refuse,
    childIdOf: String,
    // What lost a race was cancelled then.
    cancelChild: async () => undefined,
  }
}

function refuse(): never {
  throw new TypeError('a replay only reads what was recorded')
}
