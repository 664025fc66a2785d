/**
 * How sure a belief is: more with each confirmation, less with each window that passes without one. Always counted from
 * the last confirmation, so that counting again the same night changes nothing.
 */

const dayMs = 86_400_000
// Steps of a tenth do not add up exactly: .65 − 5 · .1 is a hair above .15, and means .15.
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

/** At the floor, or below. */
export function shouldPrune(confidence: number, floor: number): boolean {
  return confidence <= floor + tolerance
}

export function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerance
}

function clamped(confidence: number): number {
  return Math.min(1, Math.max(0, confidence))
}
