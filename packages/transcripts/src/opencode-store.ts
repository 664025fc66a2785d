/** The sessions of opencode, wherever this version of it keeps them: a SQLite database, or a file for each session, message and part. */
import type { JsonObject } from './pure/json-object.ts'
import type { RowKey } from './session-cursor.ts'

/** One session of opencode. */
export interface OpencodeStore {
  session(id: string): Promise<JsonObject | undefined>
  /** Some messages in order, beginning with the one that has this key; without a key, the first ones. */
  messages(session: string, from: RowKey | undefined): Promise<readonly OpencodeMessage[]>
  /** The parts of a message in order, as text of JSON; only the length of one that is too long. */
  parts(message: string): Promise<readonly OpencodePart[]>
  close(): Promise<void>
}

/** One message. */
export interface OpencodeMessage {
  readonly key: RowKey
  readonly data: JsonObject
}

/** One part of a message. */
export interface OpencodePart {
  readonly id: string
  readonly text: string | undefined
  readonly bytes: number
}
