/** A write lays its fields over what is there; nested values are replaced whole, and `unset` names what goes. */
import type { Payload } from '../node.ts'

/** A payload with the given fields laid over it. `unset` names the fields to remove. */
export function mergePayload(prior: Payload | undefined, patch: Payload, unset: readonly string[] = []): Payload {
  const next: Record<string, unknown> = { ...prior }
  for (const [field, value] of Object.entries(patch)) if (value !== undefined) next[field] = value
  for (const field of unset) delete next[field]
  return next
}
