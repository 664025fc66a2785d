/**
 * The time at which a step is due without an event: its next attempt, the end of a wait, the deadline of a question, or its earliest or
 * latest start. `since` is the time of its newest version.
 */
import { readyTimer, type StartFields } from '../flow/pure/start-times.ts'
import type { Step } from '../step.ts'

export function wakesAt(
  step: Pick<Step, 'status' | 'retryAt' | 'waitsFor'> & StartFields,
  since: number,
): number | undefined {
  const { status, retryAt, waitsFor } = step
  if (status === 'failed') return retryAt
  if (status === 'ready') return readyTimer(step, since)
  if (status !== 'blocked' || waitsFor === undefined) return undefined
  if (waitsFor.for === 'answer') return waitsFor.question.deadline
  return 'until' in waitsFor ? waitsFor.until : undefined
}
