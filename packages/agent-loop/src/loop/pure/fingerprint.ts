import { createHash } from 'node:crypto'

/** Equal for equal texts; short enough to keep. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
