/**
 * Whether a plan file is a copy that a sync program made. It is one only if its original is beside it, because a person can name a
 * plan "release (2)".
 */
import { conflictCopy } from '@agentm/storage-seam'

export function isConflictCopy(name: string, siblings: ReadonlySet<string>): boolean {
  const copy = conflictCopy(name, siblings)
  return copy !== undefined && siblings.has(copy.original)
}
