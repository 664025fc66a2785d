/** The second part of an append that unblocks dependents: one version of each of them. */
import type { ConceptSet } from '../concept.ts'
import { isNodesError } from '../errors.ts'
import type { FreedDraft } from '../node-log.ts'
import { prepareAppend, type PreparedAppend } from './prepare-append.ts'

/** The second part of an append that unblocks dependents: one version of each of them. */
export function freedAppend(
  concepts: ConceptSet,
  { owner, actor, partition }: PreparedAppend,
  { freed, ids }: { readonly freed: FreedDraft; readonly ids: readonly string[] },
): PreparedAppend {
  const { status: _, ...draft } = freed
  return prepareAppend(
    concepts,
    ids.map((id) => ({ ...draft, id, update: true })),
    { owner, actor, partition },
  )
}

/** Updates all dependents in one append. If that is refused, updates each by itself and skips those that are refused. */
export function freeEach(ids: readonly string[], free: (ids: readonly string[]) => void): void {
  if (ids.length === 0) return
  try {
    free(ids)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (ids.length > 1) for (const id of ids) freeEach([id], free)
  }
}

function isRefusal(error: unknown): boolean {
  return isNodesError(error) && refusals.includes(error.code)
}

const refusals: readonly string[] = ['GUARD_REFUSED', 'INVALID_PAYLOAD', 'RELATION_REFUSED', 'REDACTED_NODE']
