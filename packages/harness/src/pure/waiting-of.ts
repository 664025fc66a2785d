/** What a step that has not ended waits for, in words, with the time after which it waits no longer. */
import type { Step } from '../step.ts'
import type { BudgetLimit } from './budget-verdict.ts'

export interface WaitingStep {
  readonly status: Step['status']
  readonly waitsFor: string
  readonly until?: number
  /** What somebody can do about it. */
  readonly ask?: { readonly questionId: string; readonly text: string; readonly allowed: readonly string[] | undefined }
}

/** A call of a running step waits for what others have set aside of a budget. */
export interface RoomWanted {
  readonly limit: BudgetLimit
  readonly planId: string
  /** The steps that have set it aside. */
  readonly others: readonly string[]
}

export function waitingOf(
  step: Step,
  facts: { readonly remaining: number; readonly held: boolean; readonly room?: RoomWanted | undefined },
): WaitingStep | undefined {
  const { status } = step
  switch (status) {
    case 'pending':
      return {
        status,
        waitsFor:
          facts.remaining === 0
            ? 'a worker to look at it'
            : facts.remaining === 1
              ? 'the step before it'
              : `${facts.remaining} steps before it`,
      }
    case 'ready':
      return { status, waitsFor: facts.held ? 'its plan to be resumed' : 'a free worker' }
    case 'running':
      return {
        status,
        waitsFor: facts.room === undefined ? `the session ${step.session ?? 'that runs it'}` : roomText(facts.room),
      }
    case 'blocked':
      return blocked(step)
    case 'failed':
      return step.retryAt === undefined ? undefined : { status, waitsFor: 'its next try', until: step.retryAt }
    default:
      return undefined
  }
}

function roomText({ limit, planId, others }: RoomWanted): string {
  return `room in ${limit} of ${planId}, set aside by ${others.join(', ')}`
}

function blocked({ status, waitsFor }: Step): WaitingStep {
  switch (waitsFor?.for) {
    case 'answer': {
      const { id, text, allowed, deadline } = waitsFor.question
      const ask = { questionId: id, text, allowed }
      return { status, waitsFor: `an answer: ${text}`, ask, ...(deadline !== undefined && { until: deadline }) }
    }
    case 'plan':
      return { status, waitsFor: `the end of ${waitsFor.planId}` }
    case 'time':
      return { status, waitsFor: 'a time', until: waitsFor.until }
    case 'rate-limit':
      return { status, waitsFor: `a rate limit to pass: ${waitsFor.message}`, until: waitsFor.until }
    case 'resume':
      return { status, waitsFor: 'its plan to be resumed' }
    default:
      return { status, waitsFor: 'the steps before it' }
  }
}
