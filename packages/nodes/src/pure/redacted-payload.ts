import type { Concept } from '../concept.ts'
import type { Payload } from '../node.ts'
import { relationsOf } from './prepare-append.ts'

/** The payload that remains of an erased node: its status and its relations, because these are structure and not content. */
export function redactedPayload(concept: Concept, payload: Payload): Payload {
  const kept = new Set(['status', ...relationsOf(concept).map(({ field }) => field)])
  return Object.fromEntries(Object.entries(payload).filter(([field]) => kept.has(field)))
}
