/**
 * Makes an empty file that only its owner may read, where nothing is yet; SQLite gives what lies beside it the same permissions.
 * Answers whether it was made. Why it could not be made is said by the database that is opened there.
 */
import { closeSync, openSync } from 'node:fs'

export function makePrivateFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch {
    return false
  }
}
