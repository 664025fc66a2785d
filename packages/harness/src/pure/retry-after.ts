/** What a `Retry-After` header asks for, in milliseconds: it holds seconds, or a date. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : undefined
  const ms = seconds === undefined ? Date.parse(text) - now : seconds * 1000
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
