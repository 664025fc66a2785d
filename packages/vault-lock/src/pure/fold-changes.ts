/**
 * Combines several queued changes of one text into one. Each change gets the result of the change before it. If a change throws, or its
 * text cannot be stored, it is skipped, and only its caller gets the error.
 */
import { type Change, InvalidTextError } from '@agentm/storage-seam'

export type ChangeOutcome =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly error: unknown }

export function foldChanges(
  current: string | undefined,
  changes: readonly Change[],
): { readonly text: string | undefined; readonly outcomes: readonly ChangeOutcome[] } {
  let text = current
  const outcomes = changes.map((change): ChangeOutcome => {
    try {
      const next = change(text) ?? text
      if (next?.isWellFormed() === false) throw new InvalidTextError('the changed text')
      text = next
      return { ok: true, text }
    } catch (error) {
      return { ok: false, error }
    }
  })
  return { text, outcomes }
}
