/** Whether no step of a plan can continue until a person answers a question or resumes the plan. */
import type { PlanState, WaitingRow } from '../plan-state.ts'

export function needsSomebody({ paused, waiting }: Pick<PlanState, 'paused' | 'waiting'>): boolean {
  const still = waiting.filter((row) => row.status !== 'pending')
  return still.length > 0 && still.every((row) => isStill(row, paused))
}

/** Whether the step waits for a person. */
function isStill({ status, ask, waitsFor, lacks, until }: WaitingRow, paused: boolean): boolean {
  // A durable function may ask while it runs, or could run.
  if (waitsFor.for === 'code' || (ask !== undefined && status === 'blocked')) return true
  if (waitsFor.for === 'signal') return until === undefined
  if (status === 'ready') return paused || lacks !== undefined
  return status === 'blocked' && paused && waitsFor.for === 'resume'
}
