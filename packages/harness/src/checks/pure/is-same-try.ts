import type { Step } from '../../step.ts'

/** When a record of a run was written, as far as the step itself can tell. */
export interface TryFacts {
  readonly attempt: number
  readonly failures: number
  readonly crashes: number
}

const lost: readonly string[] = ['lease', 'vanished', 'shutdown']

export function tryFacts({ attempt, failures = 0, crashes = 0 }: Step): TryFacts {
  return { attempt, failures, crashes }
}

/**
 * Whether a run goes on where the record was written. It does after a question, and after a lost worker. A retry after a failure and
 * a restart by hand begin anew.
 */
export function isSameTry({ attempt, failures, crashes }: TryFacts, step: Step): boolean {
  if (failures !== (step.failures ?? 0)) return false
  if (attempt === step.attempt) return true
  return lost.includes(step.failure?.cause ?? '') && (step.crashes ?? 0) >= crashes
}
