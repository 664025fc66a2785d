import { createHash } from 'node:crypto'

/** A short hash: equal texts have equal fingerprints. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
