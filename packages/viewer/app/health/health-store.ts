/** What the page of health knows: asked for when it is opened, and every few seconds while it is looked at. */
import { signal } from '@preact/signals'
import type { CheckList, HealthPage } from '../../src/contract/health.ts'
import { ask } from '../api.ts'
import { setClock } from '../clock.ts'
import { onNews } from '../live.ts'

export const health = signal<HealthPage | undefined>(undefined)
export const quick = signal<CheckList | undefined>(undefined)
export const slow = signal<CheckList | undefined>(undefined)
export const isChecking = signal(false)
export const error = signal<string | undefined>(undefined)

/** Workers renew their leases, and nothing in the log says so. */
const everyMs = 10_000
/** A busy log changes all the time; its checks need not follow. */
const checksEveryMs = 30_000

/** Returns the way to stop. */
export function watchHealth(): () => void {
  const end = new AbortController()
  let isReading = false
  const read = async () => {
    if (isReading || document.hidden) return
    isReading = true
    try {
      const next = await ask<HealthPage>(`/api/health?offset=${new Date().getTimezoneOffset()}`, end.signal)
      setClock(next.now)
      health.value = next
      error.value = undefined
    } catch (failure) {
      if (!end.signal.aborted) error.value = wordsOf(failure)
    }
    isReading = false
  }
  let checkedAt = -Infinity
  const check = async () => {
    if (performance.now() - checkedAt < checksEveryMs) return
    checkedAt = performance.now()
    try {
      quick.value = await ask<CheckList>('/api/health/checks', end.signal)
    } catch (failure) {
      if (!end.signal.aborted) error.value = wordsOf(failure)
    }
  }
  void read().then(check)
  const timer = setInterval(() => void read().then(check), everyMs)
  const stop = onNews(() => void check())
  return () => {
    clearInterval(timer)
    stop()
    end.abort()
  }
}

/** The checks that read the whole log and start programs. */
export async function checkEverything(): Promise<void> {
  if (isChecking.value) return
  isChecking.value = true
  try {
    slow.value = await ask<CheckList>('/api/health/slow')
    error.value = undefined
  } catch (failure) {
    error.value = wordsOf(failure)
  }
  isChecking.value = false
}

function wordsOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
