/** The writes of a step, as data: the next status, the changed fields, and the mutation name in the log. */
import type { Draft, FreedDraft } from '@agentm/nodes'
import type { Answer, Question } from '@agentm/agent-loop'
import type { Failure, Step, Wait } from '../step.ts'
import { spanText } from '../flow/pure/span-text.ts'
import { stepName } from './concept-names.ts'
import type { Aftermath } from './retry-time.ts'

export interface Named {
  readonly id: string
}

export interface Stepping extends Named {
  readonly payload: Step
}

/** The fields that are cleared when a run has ended. */
const runFields = ['session', 'intentAt'] as const

const ready = { payload: { status: 'ready' }, unset: ['waitsFor'], mutation: 'readyHarnessStep' } as const

export function readyDraft({ id }: Named): Draft {
  return { concept: stepName, id, ...ready, update: true }
}

/** The earliest start of a ready step has come. */
export function openDraft({ id }: Named): Draft {
  return update(id, 'openHarnessStep', { status: 'ready', due: true })
}

/** The write that makes a step ready when the last step it waits for is done. */
export const freedDraft: FreedDraft = { concept: stepName, status: 'pending', ...ready }

/** The same write that `take` makes, for stores and callers that claim one step by name. */
export function startDraft({ id }: Named, by: { readonly session: string; readonly at: number }): Draft {
  return update(id, 'startHarnessStep', { status: 'running', session: by.session, startedAt: iso(by.at) })
}

export function intentDraft({ id }: Named, at: number): Draft {
  return update(id, 'intendHarnessStep', { intentAt: at })
}

export function completeDraft({ id }: Named, done: { readonly result?: Step['result']; readonly at: number }): Draft {
  const payload = {
    status: 'done',
    completedAt: iso(done.at),
    ...(done.result === undefined ? {} : { result: done.result }),
  }
  return {
    ...update(id, 'completeHarnessStep', payload),
    unset: [...runFields, 'errorMessage', 'failure', 'retryAt', 'waitsFor'],
  }
}

export function failDraft(
  { id }: Named,
  failed: { readonly failure: Failure; readonly at: number } & Partial<Aftermath> & {
      readonly crashes?: number
      readonly deadLetter?: boolean
    },
): Draft {
  const { failure, at, failures, retryAt, crashes, deadLetter } = failed
  const payload = { failure, errorMessage: failure.message, failures, crashes, retryAt, deadLetter }
  return {
    ...update(id, 'failHarnessStep', { status: 'failed', completedAt: iso(at), ...given(payload) }),
    unset: [...runFields, 'waitsFor', ...(retryAt === undefined ? ['retryAt'] : [])],
  }
}

export function retryDraft({ id, payload }: Stepping, more: Partial<Step> = {}): Draft {
  return {
    ...update(id, 'retryHarnessStep', { status: 'ready', attempt: payload.attempt + 1, ...more }),
    unset: ['retryAt', 'completedAt', 'waitsFor', 'deadLetter'],
  }
}

export function blockDraft({ id }: Named, waitsFor: Wait): Draft {
  const mutation = waitsFor.for === 'answer' ? 'askHarnessStep' : 'blockHarnessStep'
  return { ...update(id, mutation, { status: 'blocked', waitsFor }), unset: runFields }
}

/** Clears the timer of a failed, waiting or ready step whose plan has ended. */
export function giveUpDraft({ id }: Named): Draft {
  const unset = ['retryAt', 'waitsFor', 'startAt', 'delayMs', 'expiresInMs']
  return { ...update(id, 'giveUpHarnessStep', {}), unset }
}

/** Moves the step through legal transitions to `done`, in one append. */
export function skipDrafts(
  step: Stepping,
  by: { readonly actor: string; readonly reason: string; readonly at: number },
): readonly Draft[] {
  const { actor, reason, at } = by
  const last = completeDraft(step, { result: { skipped: true, actor, reason }, at })
  return [...wayToRunning(step), { ...last, payload: { ...last.payload, actor, reason } }].map((draft) => ({
    ...draft,
    mutation: 'skipHarnessStep',
  }))
}

/** Writes the first answer to a question, and the status that follows from it. */
export function answerDrafts(step: Stepping, question: Question, answer: Answer): readonly Draft[] {
  const answers = { ...step.payload.answers, [question.id]: answer }
  const answered: Draft = { ...update(step.id, 'answerHarnessStep', { status: 'ready', answers }), unset: ['waitsFor'] }
  if (!question.id.startsWith(unknownPrefix)) return [answered]
  return [answered, ...afterUnknown(step, answer)]
}

/** No answer came in time, and the question has no default answer. */
export function unansweredDrafts(step: Stepping, question: Question, at: number): readonly Draft[] {
  const failure: Failure = { cause: 'timeout', message: `nobody answered in time: ${question.text}`, retryable: false }
  return [...wayToRunning(step), failDraft(step, { failure, at })]
}

/** It was not started within the time it was given. */
export function lapseDrafts(step: Stepping, at: number): readonly Draft[] {
  const { expiresInMs = 0 } = step.payload
  const failure: Failure = {
    cause: 'expired',
    message: `not started within ${spanText(expiresInMs)}`,
    retryable: false,
  }
  return [...wayToRunning(step), failDraft(step, { failure, at })]
}

/** Marks questions that the harness asks about the outcome of a lost run. */
export const unknownPrefix = 'unknown-'

function afterUnknown(step: Stepping, { value, actor, at }: Answer): readonly Draft[] {
  const running = bareRun(step.id)
  if (value === 'done') return [running, completeDraft(step, { result: { unknown: true, confirmedBy: actor }, at })]
  const failure: Failure = {
    cause: 'unknown',
    message: `its worker was lost; ${actor} said ${value}`,
    retryable: false,
  }
  const failed = [running, failDraft(step, { failure, at })]
  return value === 'retry' ? [...failed, retryDraft(step)] : failed
}

/** The legal transitions from the present status to `running`, without a session. */
export function wayToRunning(step: Stepping): readonly Draft[] {
  const { id, payload } = step
  switch (payload.status) {
    case 'pending':
    case 'blocked':
      return [readyDraft(step), bareRun(id)]
    case 'failed':
      return [retryDraft(step), bareRun(id)]
    case 'ready':
      return [bareRun(id)]
    default:
      return []
  }
}

function bareRun(id: string): Draft {
  return update(id, 'passHarnessStep', { status: 'running' })
}

export function update(id: string, mutation: string, payload: Draft['payload']): Draft {
  return { concept: stepName, id, payload, mutation, update: true }
}

function given(payload: Readonly<Record<string, unknown>>): Draft['payload'] {
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}
