/**
 * When to pause a provider that keeps failing: after several failures in a row no request is sent for a while, then a single one
 * as a probe. Its end decides for all others.
 */
export type BreakerState =
  | { readonly is: 'closed'; readonly failures: number }
  | { readonly is: 'open'; readonly until: number; readonly openMs: number }
  | { readonly is: 'probing'; readonly openMs: number }

export interface BreakerLimits {
  /** Running failures that open it. */
  readonly failures: number
  /** How long it stays open the first time; doubled each time the probe fails. */
  readonly openMs: number
  readonly longestOpenMs: number
}

export const closed: BreakerState = { is: 'closed', failures: 0 }

export const defaultBreakerLimits: BreakerLimits = { failures: 5, openMs: 15_000, longestOpenMs: 300_000 }

/** How long to stay away; 0 where the question may be asked. */
export function stayAwayMs(state: BreakerState, now: number): number {
  switch (state.is) {
    case 'closed':
      return 0
    case 'open':
      return Math.max(0, state.until - now)
    default:
      // The probe's end is near, and nobody knows how near.
      return 1000
  }
}

/** The state while a question that was let through is asked. */
export function asking(state: BreakerState): BreakerState {
  return state.is === 'open' ? { is: 'probing', openMs: state.openMs } : state
}

/** `none` is the end of a question that was called off: it says nothing about the provider. */
export type AskEnd = 'well' | 'ill' | 'none'

export function asked(
  state: BreakerState,
  { end, probe, now }: { readonly end: AskEnd; readonly probe: boolean; readonly now: number },
  limits: BreakerLimits,
): BreakerState {
  if (end === 'well') return closed
  if (state.is === 'probing' && probe) return afterProbe(state.openMs, { end, now }, limits)
  // A question from before it opened ends late, and tells nothing new.
  if (end === 'none' || state.is !== 'closed') return state
  const failures = state.failures + 1
  if (failures < limits.failures) return { is: 'closed', failures }
  return { is: 'open', until: now + limits.openMs, openMs: limits.openMs }
}

function afterProbe(
  openMs: number,
  { end, now }: { readonly end: AskEnd; readonly now: number },
  { longestOpenMs }: BreakerLimits,
): BreakerState {
  if (end === 'none') return { is: 'open', until: now, openMs }
  const longer = Math.min(openMs * 2, longestOpenMs)
  return { is: 'open', until: now + longer, openMs: longer }
}
