/**
 * Merges a write into the current payload: given fields replace the current ones, nested values are replaced whole, and `unset` names the
 * fields to remove.
 */
import type { Payload } from '../node.ts'

/** The payload with the given fields replaced. `unset` names the fields to remove. */
export function mergePayload(prior: Payload | undefined, patch: Payload, unset: readonly string[] = []): Payload {
  const next: Record<string, unknown> = { ...prior }
  for (const [field, value] of Object.entries(patch)) if (value !== undefined) next[field] = value
  for (const field of unset) delete next[field]
  return next
}
