/** The time at which a step is due without an event: its next attempt, the end of a wait, or the deadline of a question. */
import type { Step } from '../step.ts'

export function wakesAt({
  status,
  retryAt,
  waitsFor,
}: Pick<Step, 'status' | 'retryAt' | 'waitsFor'>): number | undefined {
  if (status === 'failed') return retryAt
  if (status !== 'blocked' || waitsFor === undefined) return undefined
  if (waitsFor.for === 'answer') return waitsFor.question.deadline
  return 'until' in waitsFor ? waitsFor.until : undefined
}
