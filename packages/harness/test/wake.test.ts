import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { systemRuntime } from '@agentm/agent-loop'
import { Wake } from '../src/wake.ts'

/** Sleeps that end when the test says so, or when they are told to. */
function slow() {
  const pending = new Set<() => void>()
  const sleep = async (_: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        pending.delete(end)
        resolve()
      }
      pending.add(end)
      signal?.addEventListener('abort', () => {
        pending.delete(end)
        reject(signal.reason)
      })
    })
  return { runtime: { now: () => 0, sleep }, pending }
}

it('keeps one timer and one listener, however often and for how short it is waited', async () => {
  const { runtime, pending } = slow()
  const { signal } = new AbortController()
  const wake = new Wake(runtime)
  for (let ms = 100; ms > 0; ms--) {
    const waited = wake.wait(ms, signal)
    wake.ring()
    expect(await waited).toBe(true)
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  expect(pending.size).toBe(1)
  const last = wake.wait(0, signal)
  for (const end of pending) end()
  expect(await last).toBe(false)
})

it('ends with its signal, also while a timer of an earlier wait runs', async () => {
  const stopping = new AbortController()
  const wake = new Wake(systemRuntime)
  const first = wake.wait(60_000, stopping.signal)
  wake.ring()
  await first
  const second = wake.wait(120_000, stopping.signal)
  stopping.abort()
  expect(await second).toBe(false)
  expect(await wake.wait(60_000, stopping.signal)).toBe(false)
})
