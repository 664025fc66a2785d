/** Days where the reader is. */
export function dayOf(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

export function dayWords(day: number, now: number): string {
  const today = dayOf(now)
  if (day === today) return 'Today'
  // A day may have 23 hours.
  if (day === dayOf(today - 3_600_000)) return 'Yesterday'
  const isThisYear = new Date(day).getFullYear() === new Date(now).getFullYear()
  return new Date(day).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

export function clockWords(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}
