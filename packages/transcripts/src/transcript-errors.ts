/** What stops reading. Callers compare `code`, because classes differ between two copies of a package. */
import type { TranscriptHost } from './transcript-hosts.ts'

/** The error codes of this package. */
export const transcriptErrorCodes = ['CURSOR_REFUSED', 'SESSION_ABSENT', 'SESSION_UNREADABLE', 'SQLITE_ABSENT'] as const

/** The error codes of this package. */
export type TranscriptErrorCode = (typeof transcriptErrorCodes)[number]

/** The base class of the errors of this package. Compare `code`. */
export abstract class TranscriptError extends Error {
  abstract readonly code: TranscriptErrorCode
}

/**
 * True for an error of this package, also when another copy of it threw.
 *
 * @example
 * ```ts
 * import { isTranscriptError } from '@agentm/transcripts'
 *
 * console.log(isTranscriptError(new Error('something else'))) // false
 * ```
 */
export function isTranscriptError(error: unknown, code?: TranscriptErrorCode): error is TranscriptError {
  if (!(error instanceof Error) || !('code' in error)) return false
  return code === undefined ? (transcriptErrorCodes as readonly unknown[]).includes(error.code) : error.code === code
}

interface Which {
  readonly host: TranscriptHost
  readonly source: string
}

/** The session is not stored any more, or never was. */
export class SessionAbsentError extends TranscriptError {
  override readonly name = 'SessionAbsentError'
  readonly code = 'SESSION_ABSENT'
  readonly host: TranscriptHost
  readonly source: string
  constructor({ host, source }: Which, options?: ErrorOptions) {
    super(
      `${host} has no session ${source}. It was deleted or moved, or the data directory of ${host} is another one.`,
      options,
    )
    this.host = host
    this.source = source
  }
}

/** The session is there and cannot be read, for example because of its permissions. */
export class SessionUnreadableError extends TranscriptError {
  override readonly name = 'SessionUnreadableError'
  readonly code = 'SESSION_UNREADABLE'
  readonly host: TranscriptHost
  readonly source: string
  constructor({ host, source }: Which, why: string, options?: ErrorOptions) {
    super(`session ${source} of ${host} cannot be read: ${why}`, options)
    this.host = host
    this.source = source
  }
}

/** The cursor belongs to another session, or another version of this package wrote it. */
export class CursorRefusedError extends TranscriptError {
  override readonly name = 'CursorRefusedError'
  readonly code = 'CURSOR_REFUSED'
  readonly host: TranscriptHost
  readonly source: string
  constructor({ host, source }: Which, why: string) {
    super(`the cursor for session ${source} of ${host} cannot be used: ${why}. Read the session without a cursor.`)
    this.host = host
    this.source = source
  }
}

/** This version of Node has no SQLite, which the sessions of opencode need. */
export class SqliteAbsentError extends TranscriptError {
  override readonly name = 'SqliteAbsentError'
  readonly code = 'SQLITE_ABSENT'
  constructor(options?: ErrorOptions) {
    super(
      `Node ${process.versions.node} has no SQLite, and opencode keeps its sessions in one. Use Node 22.13 or newer, or pass openDatabase.`,
      options,
    )
  }
}
