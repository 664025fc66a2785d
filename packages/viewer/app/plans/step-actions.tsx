/** Retry and skip a step, and run the plan again from it. Each asks once. */
import type { PlanFacts, StepRow } from '../../src/contract/plans.ts'
import { about } from '../about.ts'
import { runAgain } from './fork-dialog.tsx'
import { confirmChange, type Question } from '../views/confirm.tsx'

export interface StepActionsProps {
  readonly row: StepRow
  readonly plan: PlanFacts
  readonly steps: ReadonlyMap<string, StepRow>
}

export function StepActions({ row, plan, steps }: StepActionsProps) {
  if (!about.value.canWrite) return null
  const isOver = plan.endedAt !== undefined
  const retry: Question = {
    title: `Retry “${row.title}”?`,
    text: isOver
      ? 'The plan has ended, and such a plan never changes: its unfinished steps become a new plan.'
      : 'The step becomes ready again. A worker runs it.',
    yes: 'Retry step',
    room: 'plans',
    change: { do: 'retry-step', stepId: row.id },
  }
  const skip: Question = {
    title: `Skip “${row.title}”?`,
    text: 'The step counts as done without being run. If a worker runs it now, it is stopped and its result is discarded.',
    yes: 'Skip step',
    isDangerous: true,
    room: 'plans',
    change: { do: 'skip', stepId: row.id },
  }
  return (
    <div class="buttons is-left">
      {row.status === 'failed' && (
        <button type="button" class="button" onClick={() => confirmChange(retry)}>
          {retry.yes}
        </button>
      )}
      {row.erased !== true && (
        <button type="button" class="button" onClick={() => runAgain({ planId: plan.id, step: row, steps })}>
          Run again from here
        </button>
      )}
      {row.status !== 'done' && !isOver && (
        <button type="button" class="button is-danger-quiet" onClick={() => confirmChange(skip)}>
          {skip.yes}
        </button>
      )}
    </div>
  )
}
