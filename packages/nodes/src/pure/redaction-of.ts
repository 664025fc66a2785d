import type { Concept } from '../concept.ts'
import type { KnownHead, NewVersion } from './decide-append.ts'
import { redactedPayload } from './redacted-payload.ts'

/** The last version of an erased node. It records who erased the content and when, so that subscribers are notified. */
export function redactionOf(
  concept: Concept,
  head: KnownHead,
  { actor, at }: { readonly actor: string; readonly at: number },
): NewVersion {
  const payload = redactedPayload(concept, head.payload)
  return {
    id: head.id,
    concept: head.concept,
    version: head.version + 1,
    owner: head.owner,
    partition: head.partition,
    createdBy: actor,
    createdAt: at,
    provenanceMutation: 'redact',
    status: head.status,
    payload,
    redacted: true,
    json: JSON.stringify(payload),
    oldStatus: head.status,
  }
}
