/** Times, spans, amounts and ids as a person reads them. */

/** Such as `3.2 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`. */
export function spanWords(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '0 ms'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = ms / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  if (whole < 3_600) return pair([Math.floor(whole / 60), 'min'], [whole % 60, 's'])
  const minutes = Math.round(seconds / 60)
  if (minutes < 1_440) return pair([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min'])
  const hours = Math.round(minutes / 60)
  return pair([Math.floor(hours / 24), 'd'], [hours % 24, 'h'])
}

function pair([first, a]: readonly [number, string], [second, b]: readonly [number, string]): string {
  return second === 0 ? `${first} ${a}` : `${first} ${a} ${second} ${b}`
}

/** Such as `just now` or `4 min ago`. */
export function agoWords(at: number, now: number): string {
  const ms = now - at
  if (ms < 5_000) return 'just now'
  const [first = '', unit = ''] = spanWords(ms).split(' ')
  return `${Math.floor(Number(first))} ${unit} ago`
}

/** Such as `18,204` or `1.2 M`. */
export function countWords(count: number): string {
  if (count < 100_000) return count.toLocaleString('en')
  return count < 999_500 ? `${Math.round(count / 1_000)} k` : `${(count / 1_000_000).toFixed(1)} M`
}

/** From millionths of a dollar. */
export function moneyWords(micros: number): string {
  const dollars = micros / 1_000_000
  if (dollars === 0) return '$0'
  return dollars < 0.01 ? `$${dollars.toFixed(4)}` : `$${dollars.toFixed(2)}`
}

/** An id that somebody chose is short enough as it is. */
export function shortId(id: string): string {
  return /^[0-9a-f-]{32,36}$/.test(id) ? id.slice(0, 8) : id
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countWords(count)} ${count === 1 ? one : many}`
}
