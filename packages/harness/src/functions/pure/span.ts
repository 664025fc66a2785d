/** A length of time as people write it: `'90 seconds'`, `'2 days'`, or a number of milliseconds. */
const units = {
  ms: 1,
  millisecond: 1,
  s: 1000,
  second: 1000,
  m: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  week: 604_800_000,
} as const

type Unit = keyof typeof units

/** A length of time: milliseconds, or a number with a unit, such as `'90 seconds'`, `'1 hour'` or `'2 days'`. */
export type Span =
  | number
  | `${number} ${Unit}`
  | `${number} ${Unit}s`
  | `${number}${'ms' | 's' | 'm' | 'h' | 'd' | 'w'}`

/** In milliseconds. Throws a `TypeError` that says what a length of time looks like. */
export function spanMs(span: Span): number {
  const ms = typeof span === 'number' ? span : spokenMs(span)
  if (ms === undefined || !Number.isFinite(ms) || ms < 0)
    throw new TypeError(
      `${JSON.stringify(span)} is no length of time. Write it like '90 seconds', '1 hour' or '2 days', or in milliseconds.`,
    )
  return ms
}

const spoken = /^(\d+(?:\.\d+)?) ?([a-z]+)$/

function spokenMs(span: string): number | undefined {
  const [, count, word = ''] = spoken.exec(span.trim()) ?? []
  const unit = word in units ? word : word.replace(/s$/, '')
  return count === undefined || !(unit in units) ? undefined : Number(count) * units[unit as Unit]
}
