import { describe, expect, it } from 'vitest'
import { defaultRetryPolicy } from '../../src/loop/pure/retry-delay.ts'
import { attemptCall } from '../../src/loop/attempt-call.ts'
import { patientRuntime } from '../../../../tools/model-in-process.mjs'

describe('attemptCall', () => {
  it('counts the attempt that never ran when it is called off while it waits', async () => {
    const controller = new AbortController()
    const runtime = {
      async sleep(ms: number, signal?: AbortSignal) {
        if (ms > 1000) return new Promise<void>(() => {})
        controller.abort()
        throw signal?.reason
      },
    }
    let ran = 0
    const attempted = await attemptCall(
      async () => {
        ran++
        throw new Error('busy')
      },
      { policy: defaultRetryPolicy, runtime, signal: controller.signal },
    )
    expect(attempted).toMatchObject({ ok: false, error: { type: 'timeout', attempts: 2, mayHaveHappened: false } })
    expect(ran).toBe(1)
  })

  it.each([0, -3, Number.NaN])(
    'makes one attempt where %s are allowed, and does not wait after the last',
    async (attempts) => {
      const runtime = patientRuntime()
      let ran = 0
      const attempted = await attemptCall(
        async () => {
          ran++
          throw new Error('busy')
        },
        { policy: { ...defaultRetryPolicy, attempts }, runtime, signal: new AbortController().signal },
      )
      expect(attempted).toMatchObject({ ok: false, error: { attempts: 1 } })
      expect([ran, runtime.waits]).toEqual([1, []])
    },
  )

  it('does not wait where it would hold its place for longer than a minute, and does not ask early either', async () => {
    const runtime = patientRuntime()
    let ran = 0
    const attempted = await attemptCall(
      async () => {
        ran++
        throw Object.assign(new Error('slow down'), { status: 429, retryAfterMs: 3_600_000 })
      },
      { policy: defaultRetryPolicy, runtime, signal: new AbortController().signal },
    )
    expect(attempted).toMatchObject({ ok: false, error: { retryAfterMs: 3_600_000, retryable: true } })
    expect([ran, runtime.waits.filter((ms) => ms !== defaultRetryPolicy.timeoutMs)]).toEqual([1, []])
  })

  it('ends the attempt’s signal with its time limit, and gives the next attempt a fresh one', async () => {
    const signals: AbortSignal[] = []
    const attempted = await attemptCall(
      async (signal) => {
        signals.push(signal)
        return signals.length === 1 ? new Promise<string>(() => {}) : 'done'
      },
      {
        policy: { timeoutMs: 5, attempts: 2, baseMs: 0, capMs: 0 },
        runtime: { sleep: async (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
        signal: new AbortController().signal,
      },
    )
    expect(attempted).toEqual({ ok: true, value: 'done', attempts: 2 })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })
})
