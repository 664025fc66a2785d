import type { ClaimedBy, Concept } from '../concept.ts'
import type { Head } from '../node.ts'
import type { PreparedAppend } from './prepare-append.ts'

/** The append that claims one ready node for a session. It expects the head's version, so a second claim fails. */
export function claimDraft(
  concept: Concept,
  head: Pick<Head, 'id' | 'owner' | 'partition' | 'version' | 'payload'>,
  by: ClaimedBy & { readonly actor: string },
): PreparedAppend {
  const { claimable } = concept
  if (claimable === undefined) throw new TypeError(`${concept.name} is not claimable`)
  const { id, owner, partition, version, payload } = head
  return {
    drafts: [
      {
        concept,
        id,
        patch: claimable.claim(payload, by),
        unset: [],
        mutation: claimable.mutation,
        update: true,
        vector: undefined,
      },
    ],
    owner,
    actor: by.actor,
    partition,
    expects: new Map([[id, version]]),
    writes: [id],
    reads: [],
  }
}
