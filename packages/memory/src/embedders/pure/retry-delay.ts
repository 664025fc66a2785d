/** How long to wait before the next attempt: as long as the server asks; otherwise longer each time, with a random part. */
const firstMs = 500
const longestMs = 60_000

export function retryDelay(
  tried: number,
  {
    retryAfter,
    now,
    chance,
  }: { readonly retryAfter?: string | undefined; readonly now: number; readonly chance: number },
): number {
  const asked = askedFor(retryAfter, now)
  if (asked !== undefined) return Math.min(longestMs, asked)
  return Math.min(longestMs, firstMs * 2 ** (tried - 1)) * (0.5 + chance / 2)
}

/** Reads `Retry-After`, which holds seconds or a date. */
function askedFor(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
