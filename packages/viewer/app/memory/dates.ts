/** Days and moments as the clock on the wall of the person says. */

export function dayWords(at: number, now: number): string {
  if (at === 0) return 'no date'
  const date = new Date(at)
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString('en', { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) })
}

/** With the time of the day, for what may happen several times a day. */
export function momentWords(at: number, now: number): string {
  const time = new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false })
  return at === 0 ? 'no date' : `${dayWords(at, now)}, ${time}`
}
