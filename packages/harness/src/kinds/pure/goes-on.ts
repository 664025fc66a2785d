import type { Step } from '../../step.ts'
import type { Turn } from '../../turn.ts'

const lost: readonly string[] = ['lease', 'vanished', 'shutdown']

/**
 * Whether a run continues the conversation a turn belongs to: the same try after a question, or one whose worker was lost. A
 * try that failed by itself, a step that was taken up again by hand and another task begin anew.
 */
export function goesOn(turn: Turn, step: Step, opening: string): boolean {
  if (turn.opening !== opening || turn.failures !== (step.failures ?? 0)) return false
  if (turn.attempt === step.attempt) return true
  return lost.includes(step.failure?.cause ?? '') && (step.crashes ?? 0) >= turn.crashes
}
