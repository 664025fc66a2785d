/** Effectful steps whose worker was lost: nobody knows whether they happened, so a person is asked. */
import type { Entry } from '../entry.ts'

export function isOutcomeUnknown(entry: Pick<Entry, 'status' | 'intentAt'> | undefined): boolean {
  return entry?.status === 'running' && entry.intentAt !== undefined
}

export function outcomeQuestion({
  position,
  name,
  entry,
}: Pick<Entry, 'position' | 'name'> & { readonly entry?: Entry | undefined }): {
  readonly id: string
  readonly text: string
  readonly allowed: readonly string[]
} {
  return {
    // A second loss of the same step is another question.
    id: `outcome-${position}-${entry?.intentAt ?? 0}`,
    text: `The worker of "${name}" is gone, and the step may have happened. Say "done" if it did, "retry" to run it again, "fail" to give it up.`,
    allowed: ['done', 'retry', 'fail'],
  }
}
