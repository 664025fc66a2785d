const dayMs = 86_400_000

/** The beginnings of the last days in a zone that is `offsetMinutes` behind UTC, oldest first. */
export function lastDays(
  now: number,
  { count, offsetMinutes }: { readonly count: number; readonly offsetMinutes: number },
) {
  const shift = offsetMinutes * 60_000
  const today = Math.floor((now - shift) / dayMs) * dayMs + shift
  return Array.from({ length: count }, (_, i) => today - (count - 1 - i) * dayMs)
}
