/**
 * One entry of a coding agent's session, the same for every host. Texts are as the host wrote them: nothing is redacted or shortened
 * here.
 */
import type { TranscriptHost } from './transcript-hosts.ts'

/** Where an entry stands, so that a later reader can point to it instead of copying its text. */
export interface TranscriptPlace {
  readonly host: TranscriptHost
  /** The host's id of the agent session. */
  readonly session: string
  /** The number of the record in its session, from 1: the line of a JSONL file, else the position of the message. */
  readonly record: number
  /** Epoch milliseconds; absent if the host wrote no time. */
  readonly at?: number
  /** The id of the sub-agent that this entry belongs to; absent for the main agent. */
  readonly agent?: string
}

/** What a tool call does, as far as the host's tool is known. */
export type ToolUse =
  | { readonly does: 'command'; readonly command: string; readonly cwd?: string }
  | { readonly does: 'read' | 'write'; readonly files: readonly string[] }
  | { readonly does: 'search'; readonly query: string }
  | { readonly does: 'fetch'; readonly url: string }
  | { readonly does: 'todo'; readonly items: readonly TodoItem[] }
  | { readonly does: 'agent'; readonly prompt: string }
  | { readonly does: 'other' }

/** One item of an agent's plan or to-do list. */
export interface TodoItem {
  readonly text: string
  readonly status: 'pending' | 'active' | 'done'
}

/** One typed entry of an agent session. */
export type TranscriptEvent = TranscriptPlace &
  (
    | {
        /** The agent session began, was resumed, or moved to another directory. */
        readonly type: 'session'
        readonly cwd?: string
        readonly version?: string
        readonly branch?: string
        readonly title?: string
        /** The agent session that this one continues or copies. */
        readonly parent?: { readonly session: string; readonly why: 'resumed' | 'forked' | 'sub-agent' }
      }
    /** What the person typed. It begins a turn. `id` is the host's id of the message, which a fork or copy keeps. */
    | { readonly type: 'prompt'; readonly text: string; readonly id?: string }
    /** What the host put before the model in the person's place: reminders, output of hooks, instruction files. */
    | { readonly type: 'context'; readonly text: string }
    /** What the model said to the person. */
    | { readonly type: 'reply'; readonly text: string; readonly model?: string }
    | {
        readonly type: 'call'
        readonly id: string
        readonly tool: string
        readonly input: unknown
        readonly use: ToolUse
      }
    | {
        readonly type: 'result'
        /** The id of the call. */
        readonly call: string
        readonly text: string
        readonly isError: boolean
        readonly exitCode?: number
      }
    /** The host or the provider failed: an API error, a refused or interrupted call. */
    | { readonly type: 'error'; readonly text: string }
    | { readonly type: 'compaction'; readonly summary?: string }
    /** What the model wrote for itself before it answered or called a tool. */
    | { readonly type: 'thought'; readonly text: string }
    /** The person took entries back: those from the message `to` on, or those of the last `turns` prompts. */
    | { readonly type: 'rewind'; readonly to?: string; readonly turns?: number }
    | {
        readonly type: 'usage'
        readonly model?: string
        /** All input, including what came from the cache. */
        readonly inputTokens?: number
        /** All output, including thoughts. */
        readonly outputTokens?: number
        /** The part of the input that came from the cache. */
        readonly cachedTokens?: number
      }
    /** A known record that says nothing about the work, or repeats another one: a title, a rate limit, a snapshot of files. */
    | { readonly type: 'bookkeeping'; readonly kind: string }
    /**
     * A record that this version does not know or cannot parse. It is counted and never dropped. `length` is in characters, and in bytes for
     * a record that was too long to be read.
     */
    | { readonly type: 'unknown'; readonly kind: string; readonly length: number }
  )
