/** SHA-256 of the UTF-8 bytes, in hexadecimal: the currency of every conditional write. */
import { createHash } from 'node:crypto'
import { InvalidTextError } from './errors.ts'

export function contentHash(content: string | Uint8Array): string {
  if (typeof content === 'string' && !content.isWellFormed()) throw new InvalidTextError('the text to hash')
  return createHash('sha256').update(content).digest('hex')
}
