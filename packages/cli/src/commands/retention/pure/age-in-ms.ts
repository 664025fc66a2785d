/** An age that a person typed, such as `90 days` or `12w`, in milliseconds; `undefined` if it is none. */
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const units: Readonly<Record<string, number>> = {
  minute: minuteMs,
  m: minuteMs,
  hour: 60 * minuteMs,
  h: 60 * minuteMs,
  day: dayMs,
  d: dayMs,
  week: 7 * dayMs,
  w: 7 * dayMs,
  month: 30 * dayMs,
  year: 365 * dayMs,
  y: 365 * dayMs,
}

export function ageInMs(text: string): number | undefined {
  const [, count = '', name = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text) ?? []
  const unit = name.toLowerCase()
  const ms = units[unit] ?? units[unit.replace(/s$/, '')]
  const age = ms === undefined || count === '' ? undefined : Number(count) * ms
  return age !== undefined && Number.isFinite(age) ? age : undefined
}
