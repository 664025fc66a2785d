/**
 * What a function of the original recorded before the place from which its fork goes on live. The fork is given it in the same order, so it
 * comes to that place. What had not ended is asked for again.
 */
import { deriveId, type Draft } from '@agentm/nodes'
import { isSettled } from '../../functions/entry.ts'
import type { Recorded } from '../../functions/function-log.ts'
import { entryName } from '../../pure/concept-names.ts'

export function carriedEntries(recorded: readonly Recorded[], position: number): readonly Recorded[] {
  return recorded
    .filter(({ entry }) => entry.position >= 0 && entry.position < position && isSettled(entry))
    .toSorted((a, b) => a.seq - b.seq)
}

/** Names of carried steps that the original took back later. Their effects are gone, so a fork cannot go on from them. */
export function takenBack(recorded: readonly Recorded[], position: number): readonly string[] {
  const undone = new Set(
    recorded
      .filter(({ entry }) => entry.op === 'step' && entry.name.startsWith('undo '))
      .map(({ entry }) => entry.name),
  )
  return carriedEntries(recorded, position)
    .filter(({ entry }) => entry.op === 'step' && undone.has(`undo ${entry.name}`))
    .map(({ entry }) => entry.name)
}

/** A message that a signal took belongs to the mailbox of the original, so its number is left out. */
export function entryDrafts(
  entries: readonly Recorded[],
  to: { readonly planId: string; readonly stepId: string },
): readonly Draft[] {
  return entries.map(({ entry: { message: _message, carriedAt, ...entry }, at }) => ({
    concept: entryName,
    id: deriveId(entryName, to.stepId, String(entry.position)),
    payload: { ...entry, ...to, carriedAt: carriedAt ?? at },
    mutation: 'recordHarnessEntry',
  }))
}
