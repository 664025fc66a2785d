/** Makes one call with a timeout, and retries it if that can help. */
import { type Classified, classifyError } from './pure/classify-error.ts'
import { lastAttempt, longestAskedMs, type CallRetry, retryDelay } from './pure/retry-delay.ts'
import { ToolError } from './tool-error.ts'

/** Waiting is an argument, so that tests need not wait. It rejects when the signal aborts. */
export interface LoopRuntime {
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface Attempting {
  readonly policy: CallRetry
  readonly runtime: LoopRuntime
  /** Aborts all attempts. */
  readonly signal: AbortSignal
  /** Whether a failure may be retried (default: retryable failures). */
  readonly mayRepeat?: (error: Classified, cause: unknown) => boolean
  /** Called before each attempt, outside of its timeout. `false` ends the attempts. */
  readonly prepare?: () => Promise<boolean>
}

export type Attempted<T> =
  | { readonly ok: true; readonly value: T; readonly attempts: number }
  | { readonly ok: false; readonly error: Classified; readonly cause: unknown }

export async function attemptCall<T>(
  run: (signal: AbortSignal, attempt: number) => Promise<T>,
  { policy, runtime, signal, mayRepeat = ({ retryable }) => retryable, prepare }: Attempting,
): Promise<Attempted<T>> {
  let failed: (Attempted<T> & { readonly ok: false }) | undefined
  for (let n = 1; n <= lastAttempt(policy); n++) {
    if (!(await waited(retryDelay(n, policy, failed?.error.retryAfterMs), { runtime, signal }))) return calledOff(n)
    if (prepare !== undefined && !(await prepare())) break
    try {
      return { ok: true, value: await within(policy.timeoutMs, { run, n, runtime, signal }), attempts: n }
    } catch (cause) {
      failed = { ok: false, error: classifyError(cause ?? 'it failed without saying why', n), cause }
    }
    if (signal.aborted || !mayRepeat(failed.error, failed.cause) || failed.error.retryAfterMs > longestAskedMs) break
  }
  return failed ?? calledOff(1)
}

/** `false` if everything was aborted meanwhile. */
async function waited(ms: number, { runtime, signal }: Pick<Attempting, 'runtime' | 'signal'>): Promise<boolean> {
  if (signal.aborted) return false
  if (ms <= 0) return true
  try {
    await runtime.sleep(ms, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return !signal.aborted
}

function calledOff(n: number): { readonly ok: false; readonly error: Classified; readonly cause: unknown } {
  const cause = new ToolError('timeout', 'the call was called off before it was made', { mayHaveHappened: false })
  return { ok: false, error: classifyError(cause, n), cause }
}

/** Rejects at the timeout, even if the called function ignores its signal. */
async function within<T>(
  timeoutMs: number,
  call: {
    readonly run: (signal: AbortSignal, attempt: number) => Promise<T>
    readonly n: number
    readonly runtime: LoopRuntime
    readonly signal: AbortSignal
  },
): Promise<T> {
  const late = new AbortController()
  const done = new AbortController()
  const signal = AbortSignal.any([call.signal, late.signal])
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
  ended.catch(() => undefined)
  if (timeoutMs > 0)
    call.runtime.sleep(timeoutMs, done.signal).then(
      () => late.abort(new ToolError('timeout', `it took longer than ${timeoutMs} ms`)),
      () => undefined,
    )
  try {
    return await Promise.race([call.run(signal, call.n), ended])
  } finally {
    done.abort()
  }
}
