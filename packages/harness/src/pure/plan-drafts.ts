/** The writes that create, change and end a plan, as data. */
import type { Draft } from '@agentm/nodes'
import type { Plan } from '../plan.ts'
import type { Failure } from '../step.ts'
import type { Overrun } from './budget-verdict.ts'
import { planName } from './concept-names.ts'
import { failDraft, giveUpDraft, iso, type Named, type Stepping } from './step-drafts.ts'

export interface ByHand {
  readonly actor?: string | undefined
  readonly reason?: string | undefined
}

export function startPlanDraft({ id }: Named, at: number): Draft {
  return update(id, 'startHarnessPlan', { status: 'running', startedAt: iso(at) })
}

export function extendPlanDraft({ id }: Named): Draft {
  return update(id, 'extendHarnessPlan', {})
}

export function drainDraft({ id }: Named, { limit, used, allowed }: Overrun): Draft {
  return update(id, 'drainHarnessPlan', { halting: { limit, used, allowed } })
}

export interface PlanEnd {
  readonly status: 'done' | 'failed' | 'cancelled'
  readonly at: number
  readonly result?: Plan['result']
  readonly errorMessage?: string
}

const endings = {
  done: 'finishHarnessPlan',
  failed: 'failHarnessPlan',
  cancelled: 'cancelHarnessPlan',
} as const

/** `by` is absent if a plan ends without a command of a person. */
export function endPlanDraft({ id }: Named, { status, at, result, errorMessage }: PlanEnd, by?: ByHand): Draft {
  const payload = {
    status,
    completedAt: iso(at),
    ...(result && { result }),
    ...(errorMessage && { errorMessage }),
  }
  const draft = update(id, endings[status], payload)
  return by === undefined ? draft : signed(draft, by)
}

export function pauseDraft({ id }: Named, paused: boolean, by: ByHand): Draft {
  return signed(update(id, paused ? 'pauseHarnessPlan' : 'resumeHarnessPlan', { paused }), by)
}

/** What the end of a plan does to its unfinished steps: afterwards none runs, and none has a timer. */
export function closingDrafts(steps: readonly Stepping[], failure: Failure, at: number): readonly Draft[] {
  return steps.flatMap((step) => {
    const { status, retryAt, waitsFor } = step.payload
    if (status === 'running') return [failDraft(step, { failure, at })]
    return retryAt !== undefined || waitsFor !== undefined || mayWaitToStart(step.payload) ? [giveUpDraft(step)] : []
  })
}

/** Whether a step that is ready, or will be, has a time to wait for. */
export function mayWaitToStart({ status, startAt, delayMs, expiresInMs }: Stepping['payload']): boolean {
  return status === 'ready' && (startAt !== undefined || delayMs !== undefined || expiresInMs !== undefined)
}

/** Adds to a change by hand who made it, and why. It replaces the name and the reason of the change before. */
export function signed(draft: Draft, { actor, reason }: ByHand): Draft {
  const by = { ...(actor !== undefined && { actor }), ...(reason !== undefined && { reason }) }
  const unsaid = ['actor', 'reason'].filter((field) => !(field in by))
  return { ...draft, payload: { ...draft.payload, ...by }, unset: [...(draft.unset ?? []), ...unsaid] }
}

function update(id: string, mutation: string, payload: Draft['payload']): Draft {
  return { concept: planName, id, payload, mutation, update: true }
}
