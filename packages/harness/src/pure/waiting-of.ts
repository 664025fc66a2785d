/** Why an unfinished step waits, and the time after which it continues by itself. Programs that show it choose the words. */
import type { Step } from '../step.ts'
import type { BudgetLimit } from './budget-verdict.ts'

/** The reason why a step waits. */
export type WaitReason =
  /** Waits for earlier steps that are not done. A count of 0 means that a worker has not looked at it yet. */
  | { readonly for: 'steps'; readonly count: number }
  /** Waits for a worker that runs its kind. */
  | { readonly for: 'worker' }
  /** Waits because its plan is paused. */
  | { readonly for: 'resume' }
  /** Runs in this worker session. */
  | { readonly for: 'session'; readonly session: string | undefined }
  | ({ readonly for: 'room' } & RoomWanted)
  | { readonly for: 'answer'; readonly text: string }
  | { readonly for: 'plan'; readonly planId: string }
  | { readonly for: 'time' }
  | { readonly for: 'rate-limit'; readonly message: string }
  /** Failed, and waits for its retry. */
  | { readonly for: 'retry' }

export interface WaitingStep {
  readonly status: Step['status']
  readonly waitsFor: WaitReason
  readonly until?: number
  /** The question that a person can answer. */
  readonly ask?: { readonly questionId: string; readonly text: string; readonly allowed: readonly string[] | undefined }
}

/** A call of a running step that waits for budget which other steps have reserved. */
export interface RoomWanted {
  readonly limit: BudgetLimit
  readonly planId: string
  /** The steps that have reserved it. */
  readonly others: readonly string[]
}

export function waitingOf(
  step: Step,
  facts: { readonly remaining: number; readonly held: boolean; readonly room?: RoomWanted | undefined },
): WaitingStep | undefined {
  const { status } = step
  switch (status) {
    case 'pending':
      return { status, waitsFor: { for: 'steps', count: facts.remaining } }
    case 'ready':
      return { status, waitsFor: { for: facts.held ? 'resume' : 'worker' } }
    case 'running':
      return {
        status,
        waitsFor: facts.room === undefined ? { for: 'session', session: step.session } : { for: 'room', ...facts.room },
      }
    case 'blocked':
      return blocked(step, facts)
    case 'failed':
      return step.retryAt === undefined ? undefined : { status, waitsFor: { for: 'retry' }, until: step.retryAt }
    default:
      return undefined
  }
}

function blocked({ status, waitsFor }: Step, { remaining }: { readonly remaining: number }): WaitingStep {
  switch (waitsFor?.for) {
    case 'answer': {
      const { id, text, allowed, deadline } = waitsFor.question
      const ask = { questionId: id, text, allowed }
      return { status, waitsFor: { for: 'answer', text }, ask, ...(deadline !== undefined && { until: deadline }) }
    }
    case 'plan':
      return { status, waitsFor: { for: 'plan', planId: waitsFor.planId } }
    case 'time':
      return { status, waitsFor: { for: 'time' }, until: waitsFor.until }
    case 'rate-limit':
      return { status, waitsFor: { for: 'rate-limit', message: waitsFor.message }, until: waitsFor.until }
    case 'resume':
      return { status, waitsFor: { for: 'resume' } }
    default:
      return { status, waitsFor: { for: 'steps', count: remaining } }
  }
}
