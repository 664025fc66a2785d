import { createInMemoryStore } from '@agentm/conformance/logs'
import { harnessConcepts, openHarness, startWorker, type StepKind } from '@agentm/harness'
import { virtualTime } from '@agentm/harness/testing'
import { setTimeout as realSleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

const day = 24 * 60 * 60_000
const start = Date.UTC(2026, 2, 1)

describe('virtual time', () => {
  it('lets a month pass in the time that the work in it takes', async () => {
    const time = virtualTime({ start })
    const began = performance.now()
    const woken: number[] = []
    const month = async (): Promise<void> => {
      for (let i = 0; i < 30; i++) {
        await time.runtime.sleep(day)
        woken.push(time.now())
      }
    }
    await time.until(month())
    expect(woken).toEqual(Array.from({ length: 30 }, (_, i) => start + (i + 1) * day))
    expect(performance.now() - began).toBeLessThan(2000)
  })

  it('wakes sleepers by time, then in the order in which they began', async () => {
    const time = virtualTime({ start })
    const order: string[] = []
    const sleeper = async (name: string, ms: number): Promise<void> => {
      await time.runtime.sleep(ms)
      order.push(`${name} at ${time.now() - start}`)
    }
    const all = [sleeper('late', 3), sleeper('first', 1), sleeper('second', 1), sleeper('at once', 0)]
    await time.until(Promise.all(all))
    expect(order).toEqual(['at once at 0', 'first at 1', 'second at 1', 'late at 3'])
  })

  it('stands still while nobody waits for it', async () => {
    const time = virtualTime({ start })
    void time.runtime.sleep(day)
    await realSleep(20)
    expect(time.now()).toBe(start)
  })

  it('moves on once for all who want it to', async () => {
    const time = virtualTime({ start })
    const woken: string[] = []
    const sleeper = async (name: string, ms: number): Promise<void> => {
      for (let i = 1; i <= 3; i++) {
        await time.runtime.sleep(ms)
        // What a store does takes turns of the event loop, and no time.
        await new Promise((resolve) => setImmediate(resolve))
        woken.push(`${name} at ${time.now() - start}`)
      }
    }
    const late = time.until(new Promise(() => undefined), { withinMs: 10 }).catch((error: Error) => error.message)
    await Promise.all([time.until(sleeper('slow', 5)), time.until(sleeper('fast', 2)), time.pass(7)])
    const expected = ['fast at 2', 'fast at 4', 'slow at 5', 'fast at 6', 'slow at 10', 'slow at 15']
    expect(woken).toEqual(expected)
    expect(await late).toContain('still pending')
  })

  it('passes the given span, and no further', async () => {
    const time = virtualTime({ start })
    const woken: number[] = []
    for (const ms of [10, 20, 30]) void time.runtime.sleep(ms).then(() => woken.push(ms))
    await time.pass(20)
    expect([time.now() - start, woken]).toEqual([20, [10, 20]])
  })

  it('ends an aborted sleep with its reason, and does not wait for it', async () => {
    const time = virtualTime({ start })
    const stopping = new AbortController()
    const aborted = time.runtime.sleep(day, stopping.signal)
    const other = time.runtime.sleep(5)
    stopping.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    await time.until(other)
    await time.pass(0)
    expect(time.now() - start).toBe(5)
    await expect(time.runtime.sleep(1, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
  })

  it('stands still for real work, and passes again afterwards', async () => {
    const time = virtualTime({ start })
    const seen: number[] = []
    const work = async (): Promise<void> => {
      await time.real(realSleep(30))
      seen.push(time.now() - start)
    }
    void time.runtime.sleep(day)
    await time.until(work())
    expect(seen).toEqual([0])
  })

  it('hands on the fault of the promise', async () => {
    const time = virtualTime()
    await expect(time.until(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('says so when a promise waits for something other than time', async () => {
    const time = virtualTime()
    const never = new Promise(() => undefined)
    await expect(time.until(never, { withinMs: 3 * day })).rejects.toThrow('after 3 days of virtual time')
  })

  it('repeats the same random numbers from the same seed', () => {
    expect(drawn(7)).toEqual(drawn(7))
    expect(drawn(7)).not.toEqual(drawn(8))
    expect(drawn(7).every((number) => number >= 0 && number < 1)).toBe(true)
  })

  it('is the clock of a store in memory and of its worker: a retry waits without waiting', async () => {
    const time = virtualTime({ start })
    const store = createInMemoryStore({ concepts: harnessConcepts, runtime: time.runtime })
    const runs: number[] = []
    const kind: StepKind = {
      name: 'flaky',
      async run() {
        runs.push(time.now())
        if (runs.length > 1) return { end: 'done' }
        const failure = { cause: 'busy', message: 'in an hour', retryable: true, retryAfterMs: day / 24 }
        return { end: 'failed', failure }
      },
    }
    const harness = openHarness({ store, owner: 'ada', actor: 'test' })
    const worker = await startWorker({ store, owners: ['ada'], kinds: [kind], ...time.worker })
    const steps = [{ key: 'a', title: 'a', kind: 'flaky' }]
    const { planId } = await harness.createPlan({ goal: 'get through', steps })
    expect((await time.until(harness.ended(planId))).status).toBe('done')
    const [first = 0, second = 0, ...more] = runs
    expect(more).toEqual([])
    expect(second - first).toBeGreaterThanOrEqual(day / 24)
    expect(second - first).toBeLessThan(day / 12)
    await time.until(worker.stop())
  })
})

function drawn(seed: number): number[] {
  const { runtime } = virtualTime({ seed })
  return Array.from({ length: 5 }, () => runtime.random())
}
