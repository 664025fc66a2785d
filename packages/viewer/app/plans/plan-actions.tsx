/** Pause, resume, cancel, retry and run again. Each asks once. */
import type { PlanFacts, StepRow } from '../../src/contract/plans.ts'
import { about } from '../about.ts'
import { confirmChange, type Question } from '../views/confirm.tsx'
import { runAgain } from './fork-dialog.tsx'

export interface PlanActionsProps {
  readonly plan: PlanFacts
  readonly steps: ReadonlyMap<string, StepRow>
  readonly hasFailed: boolean
}

export function PlanActions({ plan, steps, hasFailed }: PlanActionsProps) {
  if (!about.value.canWrite) return null
  const actions = actionsOf(plan, hasFailed)
  return (
    <div class="buttons is-left">
      {actions.map((question) => (
        <button
          key={question.yes}
          type="button"
          class={question.isDangerous === true ? 'button is-danger-quiet' : 'button'}
          onClick={() => confirmChange(question)}
        >
          {question.yes}
        </button>
      ))}
      {plan.erased !== true && steps.size > 0 && (
        <button type="button" class="button" onClick={() => runAgain({ planId: plan.id, steps })}>
          Run again from the beginning
        </button>
      )}
    </div>
  )
}

function actionsOf({ id: planId, status, paused }: PlanFacts, hasFailed: boolean): readonly Question[] {
  const isOver = status !== 'open' && status !== 'running'
  const retry: Question = {
    title: 'Retry what failed?',
    text: isOver
      ? 'A plan that has ended never changes: its unfinished steps become a new plan. A worker runs it.'
      : 'All steps that failed permanently become ready again. A worker runs them.',
    yes: 'Retry failed steps',
    room: 'plans',
    change: { do: 'retry', planId },
  }
  if (isOver) return hasFailed && status !== 'done' ? [retry] : []
  const pause: Question = {
    title: 'Pause this plan?',
    text: 'No other step starts until it is resumed. Running steps are notified.',
    yes: 'Pause',
    room: 'plans',
    change: { do: 'pause', planId },
  }
  const resume: Question = {
    title: 'Resume this plan?',
    text: 'Ready steps start again as soon as a worker is free.',
    yes: 'Resume',
    room: 'plans',
    change: { do: 'resume', planId },
  }
  const cancel: Question = {
    title: 'Cancel this plan?',
    text: 'Its running steps are stopped, and so are the plans that they started. A cancelled plan cannot be resumed.',
    yes: 'Cancel plan',
    isDangerous: true,
    room: 'plans',
    change: { do: 'cancel', planId },
  }
  return [paused ? resume : pause, ...(hasFailed ? [retry] : []), cancel]
}
