/** Whether nothing of a plan goes on before somebody does something: answers, or resumes it. */
import type { PlanState, WaitingRow } from '../plan-state.ts'

export function needsSomebody({ paused, waiting }: Pick<PlanState, 'paused' | 'waiting'>): boolean {
  const still = waiting.filter((row) => row.status !== 'pending')
  return still.length > 0 && still.every((row) => isStill(row, paused))
}

/** A question with a deadline goes on by itself once that has passed; everybody else waits for the answer, too. */
function isStill({ status, ask, waitsFor, lacks }: WaitingRow, paused: boolean): boolean {
  if (ask !== undefined) return true
  if (status === 'ready') return paused || lacks !== undefined
  return status === 'blocked' && paused && waitsFor.for === 'resume'
}
