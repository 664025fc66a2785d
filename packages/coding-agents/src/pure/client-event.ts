/** What the output of a coding agent says, in one form for all of them. */

/** Tokens that were read, of those the ones that the provider had cached, and tokens that were written. */
export interface TokenCount {
  readonly input: number
  readonly cached: number
  readonly output: number
}

export type ClientEvent =
  | { readonly is: 'session'; readonly id: string }
  /** A reply of the model, with what it used. It may be reported several times, with the same id. */
  | { readonly is: 'reply'; readonly id: string; readonly used: ClientUsage }
  /** A text of the model, or a piece of one that follows the piece before it. */
  | { readonly is: 'text'; readonly text: string; readonly isPiece?: true }
  | {
      readonly is: 'call'
      readonly id: string
      readonly tool: string
      readonly args: unknown
      readonly files: readonly string[]
    }
  | {
      readonly is: 'result'
      readonly call: string
      readonly text: string
      readonly failed: boolean
      /** It was not done, because the permissions do not allow it. */
      readonly refused: boolean
    }
  /** All that the run, or all runs of the session, have used until now. */
  | { readonly is: 'usage'; readonly of: 'run' | 'session'; readonly used: ClientUsage }
  /** A usage limit of the provider, and when it ends, if that was said. In epoch milliseconds. */
  | { readonly is: 'limit'; readonly message: string; readonly until?: number }
  /** It has started in a state in which its tools fail. A new start has none of it. */
  | { readonly is: 'not ready'; readonly message: string }
  /** The session that was to be resumed is not there. */
  | { readonly is: 'no session' }
  | { readonly is: 'fault'; readonly message: string; readonly code?: 'max_turns' | 'budget_exhausted' }
  | { readonly is: 'end'; readonly text?: string }

export interface ClientUsage {
  readonly tokens: TokenCount
  /** In millionths of a dollar, as the agent reports it. */
  readonly costMicros?: number
}

/** What the parsers know beside the line. */
export interface Reading {
  readonly now: number
  /** The time zone of this machine, such as `Europe/Berlin`. */
  readonly zone: string
  /** What a clock in a zone shows at a moment; `undefined` for a zone that does not exist. */
  readonly clockIn: (zone: string, at: number) => ClockTime | undefined
}

export interface ClockTime {
  readonly year: number
  /** From 0. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

/** One line of the output as JSON, or as text if it is not JSON. */
export type ParseLine = (line: Readonly<Record<string, unknown>>, reading: Reading) => readonly ClientEvent[]
export type ParseText = (line: string, reading: Reading) => readonly ClientEvent[]
