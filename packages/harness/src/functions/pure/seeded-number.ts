/** Numbers and ids that look random and are the same in every pass of a run. */
import { createHash } from 'node:crypto'

export function seededNumber(run: string, nth: number): number {
  return hashOf(run, nth).readUIntBE(0, 6) / 2 ** 48
}

/** In the form of a UUID of version 8, which leaves the bits to its maker. */
export function seededId(run: string, nth: number): string {
  const hex = hashOf(run, nth).toString('hex')
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function hashOf(run: string, nth: number): Buffer {
  return createHash('sha256').update(`${run}#${nth}`).digest()
}
