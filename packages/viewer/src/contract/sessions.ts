/** What the server and the page of agent sessions say to each other. */

/** An agent session that was captured. */
export interface SessionRow {
  readonly host: string
  /** The host's id of the session. */
  readonly id: string
  readonly project: string
  readonly startedAt: number
  readonly endedAt: number
  readonly turns: number
  /** How many sub-agents worked in it. */
  readonly agents: number
  /** What the person asked first. */
  readonly asked: string
  /** What the agent said last. */
  readonly done?: string
  /** How many items of its plan were open at the end. */
  readonly open: number
  readonly branch?: string
  readonly tokens?: TokenCount
}

export interface TokenCount {
  readonly input: number
  readonly output: number
}

/** Sessions, newest first. */
export interface SessionList {
  readonly sessions: readonly SessionRow[]
  /** Ask for sessions before this time for older ones; absent if there are none. */
  readonly before?: number
  readonly now: number
}

/** One turn: what was asked, and what the agent did until the next prompt. All texts are excerpts. */
export interface TurnRow {
  readonly id: string
  /** The position of the turn in its session, or in the work of its sub-agent. */
  readonly number: number
  /** The sub-agent that worked; its task came from another agent. */
  readonly agent?: string
  readonly task?: string
  readonly asked: string
  readonly done?: string
  readonly at: number
  readonly endedAt: number
  readonly model?: string
  readonly branch?: string
  readonly files: readonly { readonly file: string; readonly how: 'read' | 'write' }[]
  readonly commands: readonly RanCommand[]
  readonly fixes: readonly { readonly command: string; readonly error: string; readonly by: readonly string[] }[]
  readonly decisions: readonly { readonly text: string; readonly by: 'person' | 'agent' }[]
  readonly open: readonly string[]
  readonly errors: readonly string[]
  readonly tokens?: TokenCount
  /** It may still grow. */
  readonly isOpen: boolean
}

export interface RanCommand {
  readonly command: string
  readonly failed: boolean
  readonly exitCode?: number
  readonly error?: string
}

/** A bar of the overview: a turn from its beginning to its end, in the row of the agent or of a sub-agent. */
export type TurnBar = readonly [id: string, from: number, to: number, row: number, hasFailed: 0 | 1]

/** One session, with a part of its turns. */
export interface SessionPage {
  readonly session: SessionRow
  /** Turns from `from` on, oldest first. */
  readonly turns: readonly TurnRow[]
  readonly from: number
  readonly total: number
  /** All turns, or the first thousands of them. */
  readonly bars: readonly TurnBar[]
  readonly files: number
  readonly commands: number
  readonly failed: number
  readonly now: number
}

/** What was learned from a session. */
export interface LearnedRow {
  /** The id of the belief. */
  readonly id: string
  readonly kind: string
  readonly statement: string
  readonly status: string
  readonly confidence: number
  /** The key of the note that it became. */
  readonly note?: string
  /** The turns of this session that it was learned from. */
  readonly turns: readonly number[]
}

export interface LearnedList {
  readonly learned: readonly LearnedRow[]
}

/** One entry of the host’s own file. */
export interface EntryRow {
  readonly record: number
  readonly at?: number
  readonly what:
    | 'prompt'
    | 'context'
    | 'reply'
    | 'thought'
    | 'call'
    | 'error'
    | 'compaction'
    | 'rewind'
    | 'usage'
    | 'unknown'
  readonly text: string
  readonly agent?: string
  /** Of a call. */
  readonly tool?: string
  readonly input?: unknown
  readonly result?: string
  readonly hasFailed?: true
}

/** Everything the host recorded in a turn. */
export interface TurnEntries {
  /** False if the host no longer keeps the session on this machine. */
  readonly isHere: boolean
  readonly entries: readonly EntryRow[]
  /** There are more than these. */
  readonly isCut: boolean
}
