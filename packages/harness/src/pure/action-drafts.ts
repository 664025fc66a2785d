/** The writes that an action on a step makes. */
import type { Draft } from '@agentm/nodes'
import type { Failure } from '../step.ts'
import type { Action } from './next-actions.ts'
import type { Lost, StepView } from './plan-view.ts'
import {
  answerDrafts,
  blockDraft,
  failDraft,
  lapseDrafts,
  openDraft,
  readyDraft,
  retryDraft,
  unansweredDrafts,
} from './step-drafts.ts'

export type StepAction = Extract<
  Action,
  { readonly do: 'promote' | 'open' | 'lapse' | 'retry' | 'recover' | 'block' | 'expire' }
>

export function isStepAction(action: Action): action is StepAction {
  return ['promote', 'open', 'lapse', 'retry', 'recover', 'block', 'expire'].includes(action.do)
}

export function actionDrafts(action: StepAction, at: number): readonly Draft[] {
  const { step } = action
  switch (action.do) {
    case 'promote':
      return [readyDraft(step)]
    case 'open':
      return [openDraft(step)]
    case 'lapse':
      return lapseDrafts(step, at)
    case 'retry':
      return [retryDraft(step)]
    case 'block':
      return [blockDraft(step, { for: 'answer', question: action.question })]
    case 'expire': {
      const { question } = action
      return question.default === undefined
        ? unansweredDrafts(step, question, at)
        : answerDrafts(step, question, { value: question.default, actor: 'deadline', at })
    }
    default:
      return recoveryDrafts(action, at)
  }
}

const told: Readonly<Record<Lost, string>> = {
  lease: 'the lease of its worker ran out',
  vanished: 'the process of its worker is gone',
  closed: 'its worker left without it',
}

function recoveryDrafts({ step, why, onto }: Extract<Action, { do: 'recover' }>, at: number): readonly Draft[] {
  const crashes = (step.payload.crashes ?? 0) + 1
  const failure: Failure = { cause: why === 'closed' ? 'vanished' : why, message: told[why] }
  switch (onto.to) {
    case 'ready':
      return [failDraft(step, { failure, at, crashes }), retryDraft(step)]
    case 'retry':
      return [failDraft(step, { failure, at, crashes, retryAt: onto.at })]
    case 'dead-letter':
      return [failDraft(step, { failure: buried(step, crashes), at, crashes, deadLetter: true })]
    default:
      return [failDraft(step, { failure: unknown(failure), at, crashes })]
  }
}

function buried({ payload }: StepView, crashes: number): Failure {
  return {
    cause: 'vanished',
    message: `set aside: ${crashes} workers were lost while they ran "${payload.title}"`,
    retryable: false,
  }
}

function unknown({ message }: Failure): Failure {
  return { cause: 'unknown', message: `${message}; whether it happened is unknown`, retryable: false }
}
