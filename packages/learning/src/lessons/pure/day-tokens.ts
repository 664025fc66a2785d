/**
 * The tokens that a model may use in one day for learning from agent sessions. What a question may cost is set aside before it is
 * asked, and booked as it was afterwards, so that a run that dies never costs more than was set aside.
 */

export interface DayTokens {
  /** As YYYY-MM-DD, in UTC. */
  readonly day: string
  /** Used or set aside on that day. */
  readonly tokens: number
}

export const noTokens: DayTokens = { day: '', tokens: 0 }

/** Reads the stored form; none if there is none. */
export function dayTokensIn(value: unknown): DayTokens {
  if (typeof value !== 'object' || value === null) return noTokens
  const [day, tokens]: unknown[] = [Reflect.get(value, 'day'), Reflect.get(value, 'tokens')]
  return typeof day === 'string' && typeof tokens === 'number' ? { day, tokens } : noTokens
}

/** What is used of the day that `now` is in. */
export function onDay(used: DayTokens, now: number): DayTokens {
  const day = new Date(now).toISOString().slice(0, 10)
  return used.day === day ? used : { day, tokens: 0 }
}

/** `undefined` if that many tokens are not left of the budget. */
export function setAside(used: DayTokens, tokens: number, budget: number): DayTokens | undefined {
  return used.tokens + tokens > budget ? undefined : { ...used, tokens: used.tokens + tokens }
}

/** Replaces what was set aside by what was used. */
export function booked(
  used: DayTokens,
  { aside, spent }: { readonly aside: number; readonly spent: number },
): DayTokens {
  return { ...used, tokens: Math.max(0, used.tokens - aside + spent) }
}

/** A careful estimate: a token for every two ASCII characters, and one for each other character. */
export function tokensOf(text: string): number {
  const others = text.replaceAll(/[ -~]/g, '').length
  return others + Math.ceil((text.length - others) / 2)
}
