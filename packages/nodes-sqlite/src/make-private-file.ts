/**
 * Creates an empty file that only its owner can read, unless a file exists. SQLite gives the files beside it the same permissions. Returns
 * whether it was created. If that failed, opening the database there reports why.
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
