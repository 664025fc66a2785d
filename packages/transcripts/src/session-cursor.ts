/** How far a session was read. Plain JSON: store it after the events of its batch were processed, and pass it to the next read. */
import { CursorRefusedError } from './transcript-errors.ts'
import type { TranscriptHost } from './transcript-hosts.ts'
import type { SessionSource } from './session-source.ts'
import type { ParserState } from './pure/transcript-parser.ts'

/** How far a session was read. Its fields are for this package; a caller stores the whole. */
export interface SessionCursor {
  /** Another number if a cursor of before cannot be continued, for example because the state of a parser has other fields. */
  readonly version: 1
  readonly host: TranscriptHost
  readonly source: string
  /** How many records were read. */
  readonly records: number
  readonly state: ParserState
  readonly at: CursorPlace
}

/** Where the next read begins. */
export type CursorPlace =
  | {
      readonly form: 'lines'
      /** The byte after the last whole line. */
      readonly offset: number
      /** The last line had no newline yet; if one stands at the offset, it belongs to that line. */
      readonly isOpenLine?: boolean
      /** What stood before the offset: if it changed, the file is another one. */
      readonly head: FilePrint
      readonly tail: FilePrint
    }
  | { readonly form: 'document'; readonly print: string; readonly session?: string }
  | {
      readonly form: 'rows'
      /** The print of what is known of the session. */
      readonly session: string
      /** The last message that was begun, the last of its parts that was read, and whether it was read to its end. */
      readonly message?: RowKey
      readonly part?: string
      readonly isEnded?: boolean
    }

/** The position of a message among those of its session. */
export interface RowKey {
  readonly at: number
  readonly id: string
}

/** Some bytes of a file, and their hash. */
export interface FilePrint {
  readonly bytes: number
  readonly hash: string
}

/** Refuses a cursor that is not one of this session and this version. */
export function checkCursor(cursor: SessionCursor, source: SessionSource): void {
  if (typeof cursor !== 'object' || cursor === null || cursor.version !== 1)
    throw new CursorRefusedError(source, 'another version of @agentm/transcripts wrote it')
  if (cursor.host !== source.host || cursor.source !== source.source)
    throw new CursorRefusedError(source, `it belongs to ${cursor.source} of ${cursor.host}`)
  const isWhole = Number.isSafeInteger(cursor.records) && typeof cursor.state?.session === 'string'
  if (!isWhole || typeof cursor.at !== 'object') throw new CursorRefusedError(source, 'parts of it are absent')
}
