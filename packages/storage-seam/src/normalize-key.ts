/**
 * Gives each place one spelling. A key is relative to the backend's root and cannot name anything outside it: empty and `.` segments are
 * removed. `..` is refused, and so is any character that another system would read as a separator or cannot store.
 */
import { InvalidLocatorError } from './errors.ts'

// A fast path for nearly every key, because a scan creates thousands of them.
const plain = /^[\w-][\w. -]*(?:\/[\w-][\w. -]*)*$/

/**
 * Returns the normalised key, without empty and `.` segments. Throws for `..` and for names that another system cannot store.
 *
 * @example
 * ```ts
 * import { normalizeKey } from '@agentm/storage-seam'
 *
 * console.log(normalizeKey('notes//./monday.md')) // notes/monday.md
 * ```
 */
export function normalizeKey(key: string): string {
  if (typeof key === 'string' && plain.test(key)) return key
  if (typeof key !== 'string') throw new InvalidLocatorError(String(key), 'a key is text')
  if (key.includes('\\')) throw new InvalidLocatorError(key, 'a backslash separates directories on Windows')
  if (key.includes('\0')) throw new InvalidLocatorError(key, 'it holds a NUL character')
  if (!key.isWellFormed()) throw new InvalidLocatorError(key, 'it holds half a surrogate pair')
  const segments = key.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..')) throw new InvalidLocatorError(key, '".." would climb out of its place')
  return segments.join('/')
}
