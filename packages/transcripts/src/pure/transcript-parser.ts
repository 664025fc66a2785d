/**
 * A parser is a fold over the records of one session. Its state is plain JSON, so that it can be stored with a cursor and continued in
 * another process. Every record gives at least one event: what a parser does not know becomes `unknown`.
 */
import type { TranscriptEvent } from '../transcript-event.ts'
import type { TranscriptHost } from '../transcript-hosts.ts'
import { knownFields } from './known-fields.ts'
import { kindOf, parseObject, type JsonObject } from './json-object.ts'

/** One record of a session, as the host wrote it. */
export interface TranscriptRecord {
  readonly text: string
  /** Its number in the session, from 1. */
  readonly number: number
  /** The length in bytes of a record that was too long to be read; its text is then empty. */
  readonly tooLong?: number
}

/** What the place of a session tells before its first record is read. */
export interface SessionIdentity {
  readonly session?: string
  readonly agent?: string
  /** The directory of the project, if the host keeps it beside the session. */
  readonly cwd?: string
}

/** What a parser remembers between two records. Plain JSON; its fields may change with the version of this package. */
export interface ParserState {
  readonly session: string
  readonly agent?: string
}

/** What one record gave. */
export interface ParsedRecord {
  readonly state: ParserState
  readonly events: readonly TranscriptEvent[]
}

/** Reads the records of one host. */
export interface TranscriptParser {
  readonly host: TranscriptHost
  start(about?: SessionIdentity): ParserState
  next(state: ParserState, record: TranscriptRecord): ParsedRecord
}

/** An event without its place. */
export type EventBody = TranscriptEvent extends infer Event
  ? Event extends TranscriptEvent
    ? Omit<Event, 'host' | 'session' | 'record' | 'at' | 'agent'>
    : never
  : never

/** What a host's reader makes of one record. */
export interface ReadRecord<State extends ParserState> {
  readonly state: State
  readonly events: readonly EventBody[]
  /** Epoch milliseconds. */
  readonly at?: number | undefined
  /** The sub-agent of this record, if it is not that of the session. */
  readonly agent?: string | undefined
}

/** What a part of a record gives. */
export type ReadPart<State extends ParserState> = Pick<ReadRecord<State>, 'state' | 'events'>

/** What differs between hosts. */
export interface HostReader<State extends ParserState> {
  readonly host: TranscriptHost
  start(about: SessionIdentity): State
  read(state: State, record: JsonObject, text: string): ReadRecord<State>
}

/** Makes a parser from what differs between hosts: decodes the line, and adds the place to each event. */
export function defineParser<State extends ParserState>(reader: HostReader<State>): TranscriptParser {
  return {
    host: reader.host,
    start: (about = {}) => reader.start(about),
    next: (state, record) => {
      const read = readText(reader, state as State, record)
      const events = read.events.length > 0 ? read.events : [bookkeeping(parseObject(record.text)?.['type'])]
      const place = placeOf(reader.host, read, record.number)
      return { state: read.state, events: events.map((event) => ({ ...place, ...event })) }
    },
  }
}

/** The state before the first record: which session it is, as far as its place tells. */
export function beginning({ session, agent }: SessionIdentity): ParserState {
  return { session: session ?? '', ...knownFields({ agent }) }
}

/** A known record that says nothing about the work. */
export function bookkeeping(kind: JsonObject[string]): EventBody {
  return { type: 'bookkeeping', kind: kindOf(kind) }
}

/** A record, or a part of one, that is not known. */
export function unknown(kind: JsonObject[string], length: number): EventBody {
  return { type: 'unknown', kind: kindOf(kind), length }
}

function readText<State extends ParserState>(
  reader: HostReader<State>,
  state: State,
  { text, tooLong }: TranscriptRecord,
): ReadRecord<State> {
  if (tooLong !== undefined) return { state, events: [unknown('too-long', tooLong)] }
  if (text.trim() === '') return { state, events: [bookkeeping('blank')] }
  const record = parseObject(text)
  if (record === undefined) return { state, events: [unknown('not-an-object', text.length)] }
  return reader.read(state, record, text)
}

function placeOf(host: TranscriptHost, read: ReadRecord<ParserState>, record: number) {
  const agent = read.agent ?? read.state.agent
  return {
    host,
    session: read.state.session,
    record,
    ...knownFields({ at: read.at, agent }),
  }
}
