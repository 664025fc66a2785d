/**
 * Whether a plan makes progress, computed from its history: what happened since the last successful step, and when the last event
 * was. Reading the history again gives the same result.
 */
export interface Ledger {
  /** Results and errors since the last successful step. */
  readonly observed: number
  /** Steps that failed since then. */
  readonly failed: number
  /** How often each error occurred since then. Errors that differ only in numbers count as equal. */
  readonly errors: Readonly<Record<string, number>>
  /** When the last event was, in epoch milliseconds. */
  readonly lastAt: number
}

export interface StallLimits {
  /** Limit of results and errors without a successful step. An agent may make many calls in one step. */
  readonly observations: number
  /** Limit of the time without any event while a step runs or could run. */
  readonly quietMs: number
  /** Limit of equal errors. It is above the number at which a single run is stopped. */
  readonly sameErrors: number
  /** Limit of failed runs in a row. */
  readonly failures: number
}

export const defaultStallLimits: StallLimits = { observations: 200, quietMs: 30 * 60_000, sameErrors: 12, failures: 6 }

export type LedgerEvent =
  | { readonly is: 'done'; readonly at: number }
  | { readonly is: 'failed'; readonly at: number; readonly message: string }
  | { readonly is: 'observed'; readonly at: number; readonly error: string | undefined }
  | { readonly is: 'other'; readonly at: number }

/** The quiet time counts from when watching began, because earlier pauses are nobody's fault. */
export function freshLedger(now: number): Ledger {
  return { observed: 0, failed: 0, errors: {}, lastAt: now }
}

export function noted(ledger: Ledger, event: LedgerEvent): Ledger {
  const lastAt = Math.max(ledger.lastAt, event.at)
  if (event.is === 'done') return freshLedger(lastAt)
  if (event.is === 'other') return { ...ledger, lastAt }
  const message = event.is === 'failed' ? event.message : event.error
  return {
    observed: ledger.observed + (event.is === 'observed' ? 1 : 0),
    failed: ledger.failed + (event.is === 'failed' ? 1 : 0),
    errors: message === undefined ? ledger.errors : counted(ledger.errors, kindOf(message)),
    lastAt,
  }
}

/** Why it counts as stalled; `undefined` if it does not. */
export function stallOf(ledger: Ledger, now: number, limits: StallLimits = defaultStallLimits): string | undefined {
  const { observed, failed, errors, lastAt } = ledger
  const repeated = Math.max(0, ...Object.values(errors))
  if (repeated >= limits.sameErrors) return `the same error came ${repeated} times, and no step ended well in between`
  if (failed >= limits.failures) return `steps failed ${failed} times, and none ended well in between`
  if (observed >= limits.observations) return `${observed} results and errors, and no step ended well`
  if (now - lastAt >= limits.quietMs) return `nothing happened for ${Math.round((now - lastAt) / 60_000)} minutes`
  return undefined
}

function counted(errors: Ledger['errors'], kind: string): Ledger['errors'] {
  return { ...errors, [kind]: (Object.hasOwn(errors, kind) ? (errors[kind] ?? 0) : 0) + 1 }
}

const longestKind = 200

function kindOf(message: string): string {
  return message.toLowerCase().replaceAll(/\d+/g, '#').replaceAll(/\s+/g, ' ').trim().slice(0, longestKind)
}
