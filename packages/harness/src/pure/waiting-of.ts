/** Why an unfinished step waits, and the time after which it continues without help. The words are chosen by the program that shows it. */
import type { Step } from '../step.ts'
import type { BudgetLimit } from './budget-verdict.ts'

/** Why a step does not go on yet. */
export type WaitReason =
  /** Steps before it that are not done; none left where a worker has yet to look at it. */
  | { readonly for: 'steps'; readonly count: number }
  /** A worker that takes it. */
  | { readonly for: 'worker' }
  /** Its plan is paused. */
  | { readonly for: 'resume' }
  /** It runs: the worker session that has it. */
  | { readonly for: 'session'; readonly session: string | undefined }
  | ({ readonly for: 'room' } & RoomWanted)
  | { readonly for: 'answer'; readonly text: string }
  | { readonly for: 'plan'; readonly planId: string }
  | { readonly for: 'time' }
  | { readonly for: 'rate-limit'; readonly message: string }
  /** It failed, and is tried again. */
  | { readonly for: 'retry' }

export interface WaitingStep {
  readonly status: Step['status']
  readonly waitsFor: WaitReason
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
