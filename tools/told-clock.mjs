// @ts-check
/**
 * A clock that another process sets. Whoever sleeps wakes when the clock has passed the time, or when as much real time has gone by:
 * a writer that waits for the other process's lock waits in real time.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** How often a sleeper looks at the clock, in real time. */
const lookMs = 5

/** @returns {Pick<import('@agentm/agent-loop').Runtime, 'now' | 'sleep'>} */
export function toldClock() {
  let told = Number(process.env['TOLD_TIME'])
  process.on('message', (message) => {
    if (typeof message === 'number') told = message
  })
  const now = () => told
  return {
    now,
    async sleep(ms, signal) {
      const until = now() + ms
      const awakeAt = performance.now() + ms
      do await sleep(ms > 0 ? lookMs : 0, undefined, signal ? { signal } : {})
      while (now() < until && performance.now() < awakeAt)
    },
  }
}
