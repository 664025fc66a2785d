import type { ClockTime } from './pure/client-event.ts'

/** What a clock in a time zone shows at a moment; `undefined` for a zone that does not exist. */
export function clockIn(zone: string, at: number): ClockTime | undefined {
  try {
    const parts = Object.fromEntries(
      formatOf(zone)
        .formatToParts(at)
        .map(({ type, value }) => [type, Number(value)]),
    )
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
    return { year, month: month - 1, day, hour, minute }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const numeric = 'numeric'
const shown = { hourCycle: 'h23', year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric } as const

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { ...shown, timeZone })
}
