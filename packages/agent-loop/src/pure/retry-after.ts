/**
 * How long a server asks to wait, read from its answer. `Retry-After` comes first, because it is meant for this answer. Headers
 * about a provider's limits count only if the limit is used up.
 */

/** Reads one header of an answer. Names are in lower case. */
export type HeaderOf = (name: string) => string | null | undefined

/** In milliseconds; `now` is the local clock. `undefined` if the answer does not say. */
export function askedToWaitMs(header: HeaderOf, { status, now }: { readonly status: number; readonly now: number }) {
  const asked = milliseconds(header('retry-after-ms')) ?? retryAfter(header('retry-after'), clockOf(header, now))
  if (asked !== undefined || status !== 429) return asked
  const waits = limitsUsedUp(header, clockOf(header, now))
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** Dates in an answer refer to the clock of the server. */
function clockOf(header: HeaderOf, now: number): number {
  const date = Date.parse(header('date') ?? '')
  return Number.isFinite(date) ? date : now
}

function milliseconds(text: string | null | undefined): number | undefined {
  return numberIn(text)
}

/** `Retry-After` holds seconds, or a date. */
function retryAfter(text: string | null | undefined, now: number): number | undefined {
  const seconds = numberIn(text)
  return seconds === undefined ? untilDate(text, now) : seconds * 1000
}

/** Whole numbers and fractions. `Date.parse` would read "1.5" as a day in January. */
function numberIn(text: string | null | undefined): number | undefined {
  const trimmed = text?.trim() ?? ''
  if (!/^\d+(?:\.\d+)?$/.test(trimmed)) return undefined
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : undefined
}

function untilDate(text: string | null | undefined, now: number): number | undefined {
  // A date contains the name of a month or a `T`. `Date.parse` also accepts other texts, which are no dates.
  if (text === null || text === undefined || !/[A-Za-z]/.test(text)) return undefined
  const ms = Date.parse(text) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** When the exhausted limits of a provider are reset. */
function limitsUsedUp(header: HeaderOf, now: number): readonly number[] {
  const wait = (remaining: string, reset: string): readonly number[] => {
    if (numberIn(header(remaining)) !== 0) return []
    const ms = resetMs(header(reset), now)
    return ms === undefined ? [] : [ms]
  }
  return [
    ...['requests', 'tokens', 'input-tokens', 'output-tokens'].flatMap((what) =>
      wait(`anthropic-ratelimit-${what}-remaining`, `anthropic-ratelimit-${what}-reset`),
    ),
    ...['requests', 'tokens'].flatMap((what) => wait(`x-ratelimit-remaining-${what}`, `x-ratelimit-reset-${what}`)),
    ...wait('x-ratelimit-remaining', 'x-ratelimit-reset'),
    ...wait('ratelimit-remaining', 'ratelimit-reset'),
    ...combined(header('ratelimit')),
  ]
}

/**
 * A date (Anthropic), a duration such as `6m0s` (OpenAI), a number of seconds, or a time in seconds or milliseconds (GitHub,
 * OpenRouter).
 */
function resetMs(text: string | null | undefined, now: number): number | undefined {
  const value = numberIn(text)
  if (value === undefined) return durationMs(text) ?? untilDate(text, now)
  if (value >= firstMomentMs) return Math.max(0, value - now)
  return value >= firstMomentSeconds ? Math.max(0, value * 1000 - now) : value * 1000
}

/** A larger number is a point in time, because as a wait it would take years. */
const firstMomentSeconds = 1e9
const firstMomentMs = 1e12

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function durationMs(text: string | null | undefined): number | undefined {
  const trimmed = text?.trim() ?? ''
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(trimmed)) return undefined
  const parts = trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)
  return [...parts].reduce((sum, [, value, unit = '']) => sum + Number(value) * (unitsMs[unit] ?? 0), 0)
}

/** The header of the IETF draft: `"default";r=0;t=30`, or `limit=100, remaining=0, reset=30` in its earlier form. */
function combined(text: string | null | undefined): readonly number[] {
  const earlier = /remaining=0\b.*?\breset=(\d+)/.exec(text ?? '')
  const later = [...(text ?? '').matchAll(/;\s*r=0\s*;\s*t=(\d+)/g)]
  return [...(earlier === null ? [] : [earlier]), ...later].map(([, seconds]) => Number(seconds) * 1000)
}
