/**
 * The confidence of a belief: it grows with each confirmation and shrinks with each period without one. It is always computed from
 * the last confirmation, so that computing it twice changes nothing.
 */

const dayMs = 86_400_000
// Allows for rounding: 0.65 − 5 × 0.1 is slightly above 0.15 but means 0.15.
const tolerance = 1e-9

export interface DecayRate {
  readonly decayDays: number
  readonly decayPerInterval: number
}

export function reinforced(prior: number, bump: number): number {
  return clamped(prior + bump)
}

export function decayed(
  prior: number,
  times: { readonly since: number; readonly now: number },
  rate: DecayRate,
): number {
  const age = times.now - times.since
  if (rate.decayDays <= 0 || age <= 0 || !Number.isFinite(age)) return clamped(prior)
  const windows = Math.floor(age / (rate.decayDays * dayMs))
  return clamped(prior - windows * rate.decayPerInterval)
}

/** Whether the confidence is at or below the floor. */
export function shouldPrune(confidence: number, floor: number): boolean {
  return confidence <= floor + tolerance
}

export function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerance
}

function clamped(confidence: number): number {
  return Math.min(1, Math.max(0, confidence))
}
