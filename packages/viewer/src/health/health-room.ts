import type { Room } from '../room.ts'
import type { ViewSource } from '../view-source.ts'
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
        const [plans, { healthPage }] = [await source.plans(), await import('./health-page.ts')]
        return healthPage(await source.reader(), plans, { growth, offsetMinutes: offsetIn(query.get('offset')) })
      },
      '/api/health/checks': async () => (await checkLists()).quickChecks(await source.reader()),
      '/api/health/slow': async () => {
        slow ??= slowChecksOf(source).finally(() => {
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

async function slowChecksOf(source: ViewSource): Promise<CheckList> {
  return (await checkLists()).slowChecks(await source.reader())
}

/** Loaded when somebody looks at health: the checks know every part of agentm. */
async function checkLists() {
  return import('./check-lists.ts')
}
