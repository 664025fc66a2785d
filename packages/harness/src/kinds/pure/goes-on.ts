import type { Step } from '../../step.ts'
import type { Turn } from '../../turn.ts'

const lost: readonly string[] = ['lease', 'vanished', 'shutdown']

/**
 * Whether a run continues the conversation that a turn belongs to. It does after a question, and after a lost worker. A retry after
 * a failure, a step that was restarted by hand, and another task begin a new conversation.
 */
export function goesOn(turn: Turn, step: Step, opening: string): boolean {
  if (turn.opening !== opening || turn.failures !== (step.failures ?? 0)) return false
  if (turn.attempt === step.attempt) return true
  return lost.includes(step.failure?.cause ?? '') && (step.crashes ?? 0) >= turn.crashes
}
