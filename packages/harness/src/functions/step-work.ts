/** Runs the code of one step of a function: with its signal, its timeout and its heartbeat, and with a result that the log can hold. */
import type { Runtime } from '@agentm/agent-loop'
import { beginStep } from './begin-step.ts'
import type { ThrownFacts } from './pure/after-step-failure.ts'
import { spanMs } from './pure/span.ts'
import type { StepContext } from './run.ts'
import type { Slot, StepWork } from './slot.ts'

export interface StepWorkSettings {
  readonly runtime: Pick<Runtime, 'sleep'>
  readonly idempotencyKey: string
  /** Called with what the step says about its progress. */
  readonly onBeat: (details: unknown) => void
}

export async function doStepWork(slot: Slot, { run, options }: StepWork, settings: StepWorkSettings): Promise<unknown> {
  const { timeout, beatWithin } = options
  const alarms: Alarm[] = []
  const alarm = (ms: number, message: string): Alarm => {
    const set = new Alarm(settings.runtime, ms, message)
    alarms.push(set)
    return set
  }
  const over = timeout === undefined ? undefined : alarm(spanMs(timeout), `it took longer than ${timeout}`)
  const silent =
    beatWithin === undefined ? undefined : alarm(spanMs(beatWithin), `it gave no sign of life for ${beatWithin}`)
  try {
    const work = Promise.resolve(beginStep(slot.name, () => run(contextOf(slot, settings, silent))))
    const rung = [over, silent].flatMap((each) => each?.rung ?? [])
    return jsonOf(await (rung.length === 0 ? work : Promise.race([work, ...rung])))
  } catch (error) {
    if (alarms.some(({ error: rung }) => rung === error)) slot.stop(error as Error)
    throw error
  } finally {
    for (const each of alarms) each.clear()
  }
}

function contextOf(slot: Slot, { idempotencyKey, onBeat }: StepWorkSettings, silent: Alarm | undefined): StepContext {
  return {
    get signal() {
      return slot.signal
    },
    position: slot.position,
    attempt: slot.entry?.failures ?? 0,
    idempotencyKey,
    details: slot.entry?.details,
    beat(details) {
      silent?.again()
      onBeat(details)
    },
  }
}

/** Rejects with its error after a time without `again`. */
class Alarm {
  readonly error: Error
  readonly rung: Promise<never>
  readonly #runtime: Pick<Runtime, 'sleep'>
  readonly #ms: number
  #reject: (error: Error) => void = () => undefined
  #timer = new AbortController()

  constructor(runtime: Pick<Runtime, 'sleep'>, ms: number, message: string) {
    this.#runtime = runtime
    this.#ms = ms
    this.error = new Error(message)
    this.rung = new Promise((_, reject) => (this.#reject = reject))
    this.rung.catch(() => undefined)
    this.#set()
  }

  again(): void {
    this.clear()
    this.#timer = new AbortController()
    this.#set()
  }

  clear(): void {
    this.#timer.abort(cleared)
  }

  #set(): void {
    this.#runtime.sleep(this.#ms, this.#timer.signal).then(
      () => this.#reject(this.error),
      () => undefined,
    )
  }
}

/** One shared reason, because an abort without a reason creates an error with a stack each time. */
const cleared = new Error('the alarm was cleared')

/**
 * The value as the log will give it back: dates become text, and fields that are `undefined` go. The function gets this form on the
 * first pass, too, so that it never sees two.
 */
export function jsonOf(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return value
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (error) {
    throw new ValueError(error instanceof Error ? error.message : String(error))
  }
  if (text === undefined) throw new ValueError(`a ${typeof value} cannot be recorded`)
  return JSON.parse(text)
}

/** The result of a step cannot be written down. */
class ValueError extends Error {
  readonly code = 'NOT_JSON'
  readonly retryable = false
  constructor(why: string) {
    super(`its result is not JSON: ${why}. Return plain values.`)
  }
}

/** Reads a thrown value. */
export function thrownFacts(error: unknown): ThrownFacts {
  const facts: { message?: unknown; code?: unknown; retryable?: unknown; retryAfterMs?: unknown } =
    typeof error === 'object' && error !== null ? error : { message: String(error) }
  return {
    message: typeof facts.message === 'string' && facts.message !== '' ? facts.message : 'it failed without saying why',
    ...(typeof facts.code === 'string' && { code: facts.code }),
    ...(typeof facts.retryable === 'boolean' && { retryable: facts.retryable }),
    ...(typeof facts.retryAfterMs === 'number' && facts.retryAfterMs >= 0 && { retryAfterMs: facts.retryAfterMs }),
  }
}
