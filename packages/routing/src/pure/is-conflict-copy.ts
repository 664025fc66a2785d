/**
 * Whether a plan file is a copy that a sync program made. Only beside its original is it one: a plan somebody named
 * "release (2)" is a plan.
 */
import { conflictCopy } from '@agentm/storage-seam'

export function isConflictCopy(name: string, siblings: ReadonlySet<string>): boolean {
  const copy = conflictCopy(name, siblings)
  return copy !== undefined && siblings.has(copy.original)
}
