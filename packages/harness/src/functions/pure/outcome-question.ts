/** Effectful steps whose worker was lost: nobody knows whether they happened, so a person is asked. */
import type { Question } from '@agentm/agent-loop'
import { type Entry, isSettled } from '../entry.ts'
import { outcomeIdOf } from './question-id.ts'

export function isOutcomeUnknown(entry: Pick<Entry, 'status' | 'retryAt' | 'intentAt'> | undefined): boolean {
  return entry?.intentAt !== undefined && !isSettled(entry)
}

export function outcomeQuestion({
  position,
  name,
  entry,
}: Pick<Entry, 'position' | 'name'> & { readonly entry?: Entry | undefined }): Question {
  return {
    id: outcomeIdOf(position, entry?.intentAt ?? 0),
    text: `The worker of "${name}" is gone, and the step may have happened. Say "done" if it did, "retry" to run it again, "fail" to give it up.`,
    allowed: ['done', 'retry', 'fail'],
  }
}
