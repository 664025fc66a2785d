/** Dates as notes carry them. */

/** The day by the clock on the wall, as people write it. */
export function localDate(at: number): string {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/** UTC, to the second. */
export function timestamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
