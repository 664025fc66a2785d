import type { PlansPort } from './plans-port.ts'

/**
 * What the server needs of an opened memory. Any object with these functions can be served. Refusals are thrown;
 * their `code` and message go to the host as they are.
 */
export interface MemoryPort {
  recall(question: RecallQuestion): Promise<RecallAnswer>
  save(request: SaveRequest): Promise<SavedNote>
  capture(request: CaptureRequest): Promise<CapturedNote>
  /** By id or by key, what an agent wrote. A person can restore it; permanently deleting it is a person's command, not a tool. */
  forget(note: string, options: { readonly reason?: string }): Promise<ForgottenNote>
  /** `undefined` if there is no such note, or if it belongs to another project. */
  findNote(key: string): Promise<NoteText | undefined>
  /** In the order of their keys, those behind `after`. */
  listNotes(page: { readonly after?: string; readonly most: number }): Promise<readonly ListedNote[]>
  readTrace(planId: string): Promise<PlanTrace>
  /** The turns of a captured session, by its id or the id of one of its turns. */
  readSession(id: string): Promise<SessionTurns>
  readState(question: StateQuestion): Promise<StateText>
  /** Absent if this port serves memory alone. */
  readonly plans?: PlansPort
  close(): Promise<void>
}

export interface RecallQuestion {
  readonly text: string
  /** The most results to return. Without it, `usual`, and more if the question asks for all of something. */
  readonly k?: number
  readonly usual?: number
  readonly kinds?: readonly string[]
  readonly of?: readonly ('note' | 'belief' | 'episode' | 'session')[]
  /** Only what belongs to the open project, or only what belongs to none (default: both). */
  readonly scope?: 'project' | 'personal'
  /** Created at this time or later, and before that one; epoch milliseconds. */
  readonly from?: number
  readonly to?: number
}

export interface RecallAnswer {
  readonly results: readonly RecalledItem[]
  readonly freshness: {
    readonly store: 'current' | 'behind' | 'away'
    readonly pendingVectors: number
    readonly notice?: string
  }
}

export interface RecalledItem {
  readonly id: string
  readonly of: 'note' | 'belief' | 'episode' | 'session'
  /** A note's place in the store. */
  readonly key?: string
  readonly project: string
  readonly kind: string
  readonly title: string
  /** Epoch milliseconds; 0 where nothing says when. */
  readonly createdAt: number
  readonly text: string
  /** The part of the text that answers best. */
  readonly passage: string | undefined
  /** The author of a note, if its file names one. */
  readonly writtenBy?: 'person' | 'agent'
  readonly similarity: number | undefined
  readonly lexical: number
  readonly recency: number
  readonly score: number
}

/** A note that an agent wants to save. Only a person decides what is loaded in every session. */
export interface SaveRequest {
  readonly kind: string
  readonly text: string
  readonly title?: string
  readonly slug?: string
  readonly tags?: readonly string[]
  readonly scope?: 'project' | 'personal'
  readonly idempotencyKey?: string
  readonly confidence?: number
  readonly confidenceReason?: string
}

export interface SavedNote {
  /** `known`: another note has this text, and an agent may not change it. */
  readonly outcome: 'created' | 'reinforced' | 'known' | 'repeated'
  readonly id: string
  readonly key: string
  readonly slug: string
  /** Its project; absent if it belongs to none. */
  readonly project?: string
  readonly similar: readonly {
    readonly id: string
    readonly key: string
    readonly title: string
    readonly likeness: number
  }[]
}

export interface CaptureRequest {
  readonly text: string
  readonly kind?: string
  readonly slug?: string
  readonly confidence?: number
  readonly rationale?: string
  readonly title?: string
  readonly tags?: readonly string[]
  readonly scope?: 'project' | 'personal'
  /** Proposes to load it in every session of the scope. */
  readonly alwaysLoad?: boolean
}

export interface CapturedNote {
  /** `known`: a note already has this text. `rejected`: the user rejected it before, so it was not added again. */
  readonly outcome: 'captured' | 'seen-again' | 'known' | 'rejected'
  readonly id: string
  readonly key: string
  readonly occurrences: number
  readonly redacted: readonly string[]
}

export interface ForgottenNote {
  readonly id: string
  readonly key?: string
  readonly alreadyForgotten: boolean
}

export interface ListedNote {
  readonly key: string
  readonly title: string
}

export interface NoteText extends ListedNote {
  /** The text, without the fields above it. */
  readonly text: string
  readonly kind: string
  readonly writtenBy?: 'person' | 'agent'
}

/** What was asked and done in one session of a coding agent. */
export interface SessionTurns {
  readonly turns: { readonly length: number }
  readonly timeline: string
}

export interface StateQuestion {
  /** `plan`, `progress`, or the name of a state file. */
  readonly file: string
  /** A named plan (default: the active one). */
  readonly plan?: string
}

export interface StateText {
  readonly name: string
  /** Absent if the file does not exist. */
  readonly text: string | undefined
  readonly notices: readonly string[]
}

/** What happened to a plan that runs. An absent plan, and a plan of another owner, have an empty timeline and no steps. */
export interface PlanTrace {
  readonly planId: string
  readonly timeline: string
  /** The plan is over. */
  readonly complete: boolean
  readonly stepCount: number
}

export type OpenMemoryPort = () => Promise<MemoryPort>
