/**
 * When to pause a failing provider: after several failures in a row, no request is sent for a while, then a single one as a probe.
 * Its result decides for all others.
 */
export type BreakerState =
  | { readonly is: 'closed'; readonly failures: number }
  | { readonly is: 'open'; readonly until: number; readonly openMs: number }
  | { readonly is: 'probing'; readonly openMs: number }

export interface BreakerLimits {
  /** Failures in a row that open the breaker. */
  readonly failures: number
  /** How long it stays open the first time. The time doubles each time the probe fails. */
  readonly openMs: number
  readonly longestOpenMs: number
}

export const closed: BreakerState = { is: 'closed', failures: 0 }

export const defaultBreakerLimits: BreakerLimits = { failures: 5, openMs: 15_000, longestOpenMs: 300_000 }

/** How long to wait; 0 if a request may be sent. */
export function stayAwayMs(state: BreakerState, now: number): number {
  switch (state.is) {
    case 'closed':
      return 0
    case 'open':
      return Math.max(0, state.until - now)
    default:
      // The probe will end soon, but the exact time is unknown.
      return 1000
  }
}

/** The state while an allowed request runs. */
export function asking(state: BreakerState): BreakerState {
  return state.is === 'open' ? { is: 'probing', openMs: state.openMs } : state
}

/** `none` means that the request was aborted: it says nothing about the provider. */
export type AskEnd = 'well' | 'ill' | 'none'

export function asked(
  state: BreakerState,
  { end, probe, now }: { readonly end: AskEnd; readonly probe: boolean; readonly now: number },
  limits: BreakerLimits,
): BreakerState {
  if (end === 'well') return closed
  if (state.is === 'probing' && probe) return afterProbe(state.openMs, { end, now }, limits)
  // A request from before the breaker opened ended late, and gives no new information.
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
