/** Folds the records of a session into events, and makes the batches with their cursors. */
import { parserOf } from './pure/parser-of.ts'
import type { ParserState, SessionIdentity, TranscriptRecord } from './pure/transcript-parser.ts'
import type { SessionRead } from './read-session.ts'
import type { SessionBatch } from './session-batch.ts'
import type { CursorPlace, SessionCursor } from './session-cursor.ts'
import type { TranscriptEvent } from './transcript-event.ts'

const batchBytes = 1024 * 1024
const batchEvents = 1000

/** The events since the last batch, and the state of the parser. */
export class SessionFold {
  readonly #read: SessionRead
  #events: TranscriptEvent[] = []
  #size = 0
  #records: number
  #state: ParserState

  /** Without a cursor, the session starts. `about` is what is known about it before its first record. */
  constructor(read: SessionRead, from: SessionCursor | undefined, about: SessionIdentity = read.about) {
    this.#read = read
    this.#records = from?.records ?? 0
    this.#state = from?.state ?? parserOf(read.source.host).start(about)
  }

  get records(): number {
    return this.#records
  }

  get isEmpty(): boolean {
    return this.#events.length === 0
  }

  get isFull(): boolean {
    return this.#events.length >= batchEvents || this.#size >= batchBytes
  }

  /** Adds a record. One that was read before gives only what was added to it. */
  add(record: TranscriptRecord, isNew = true): void {
    const { state, events } = parserOf(this.#read.source.host).next(this.#state, record)
    this.#state = state
    this.#records = Math.max(this.#records, record.number)
    this.#size += record.tooLong === undefined ? record.text.length : 0
    for (const event of events) if (isNew || event.type !== 'bookkeeping') this.#events.push(event)
  }

  /** The events since the last batch. */
  batch(at: CursorPlace, restarted: boolean): SessionBatch {
    const { host, source } = this.#read.source
    const events = this.#events
    this.#events = []
    this.#size = 0
    return { events, cursor: { version: 1, host, source, records: this.#records, state: this.#state, at }, restarted }
  }
}
