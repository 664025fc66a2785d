/** A moment as an address names it: a date, or how long ago (`12h`, `30d`, `2w`, `6m`, `1y`). Epoch milliseconds. */
export function momentOf(text: string, now: number): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([hdwmy])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (units[unit] ?? 0)
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

const hour = 3_600_000
const day = 24 * hour
const units: Readonly<Record<string, number>> = { h: hour, d: day, w: 7 * day, m: 30 * day, y: 365 * day }
