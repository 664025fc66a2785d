/**
 * An absolute path on this machine. It has its own type, so that the compiler reports a path that leaves the code that touches disks. `..`
 * is resolved in the text, as `node:path` does, without following links.
 */
import { isAbsolute, resolve } from 'node:path'
import { InvalidPathError } from './errors.ts'

declare const filePathBrand: unique symbol

/**
 * An absolute path on this machine. The brand keeps paths apart from other text, so that the compiler sees where one
 * leaks.
 */
export type FilePath = string & { readonly [filePathBrand]: true }

/**
 * Removes doubled and trailing separators and resolves `.` and `..` in the text. Reads nothing from disk.
 *
 * @example
 * ```ts
 * import { filePath } from '@agentm/vault-lock'
 *
 * console.log(filePath('/srv//vault/./notes/')) // /srv/vault/notes
 * ```
 */
export function filePath(text: string): FilePath {
  const why = objection(text)
  if (why !== undefined) throw new InvalidPathError(text, why)
  return resolve(text) as FilePath
}

/**
 * Like `filePath`, for a path from a caller: a relative path starts from the working directory.
 *
 * @example
 * ```ts
 * import { givenPath } from '@agentm/vault-lock'
 * import path from 'node:path'
 *
 * console.log(givenPath('vault') === path.resolve('vault')) // true
 * ```
 */
export function givenPath(text: string): FilePath {
  return filePath(typeof text === 'string' && text !== '' ? resolve(text) : text)
}

function objection(text: string): string | undefined {
  if (typeof text !== 'string') return 'a path is text'
  if (text === '') return 'it is empty'
  if (text.includes('\0')) return 'it holds a NUL character'
  if (!text.isWellFormed()) return 'it holds half a surrogate pair'
  if (!isAbsolute(text)) return 'it is not absolute; resolve it first'
  return undefined
}
