/** The hash by which conditional writes compare texts: SHA-256 of the UTF-8 bytes, in hexadecimal. */
import { createHash } from 'node:crypto'
import { InvalidTextError } from './errors.ts'

/**
 * SHA-256 of the UTF-8 bytes, in hexadecimal. Conditional writes compare texts by this hash.
 *
 * @example
 * ```ts
 * import { contentHash } from '@agentm/storage-seam'
 *
 * console.log(contentHash('one').slice(0, 8)) // 7692c3ad
 * ```
 */
export function contentHash(content: string | Uint8Array): string {
  if (typeof content === 'string' && !content.isWellFormed()) throw new InvalidTextError('the text to hash')
  return createHash('sha256').update(content).digest('hex')
}
