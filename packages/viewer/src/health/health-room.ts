import type { Room } from '../room.ts'
import type { ViewSource } from '../view-source.ts'
import { quickChecks, slowChecks } from './check-lists.ts'
import { healthPage } from './health-page.ts'
import { LogGrowth } from './log-growth.ts'
import type { CheckList } from '../contract/health.ts'

export function healthRoom(source: ViewSource): Room {
  const growth = new LogGrowth()
  /** Several pages that ask at once get the same answer, because the checks start programs. */
  let slow: Promise<CheckList> | undefined
  return {
    name: 'health',
    reads: {
      '/api/health': async ({ query }) => {
        const plans = await source.plans()
        return healthPage(await source.reader(), plans, { growth, offsetMinutes: offsetIn(query.get('offset')) })
      },
      '/api/health/checks': async () => quickChecks(await source.reader()),
      '/api/health/slow': async () => {
        slow ??= source
          .reader()
          .then((reader) => slowChecks(reader))
          .finally(() => {
            slow = undefined
          })
        return slow
      },
    },
  }
}

/** Minutes behind UTC, as a browser counts them. */
function offsetIn(text: string | null): number {
  const minutes = Number(text ?? 0)
  return Number.isInteger(minutes) && Math.abs(minutes) <= 24 * 60 ? minutes : 0
}
