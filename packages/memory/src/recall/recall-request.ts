/** The request and the answer of a recall. */
import type { RecallWeights } from '@agentm/nodes'
import type { Progress } from '../index/note-index.ts'
import type { Evidence } from './pure/answer-evidence.ts'
import type { Explanation } from './pure/explain.ts'
import type { Floor } from './pure/floor.ts'
import type { Author } from '../notes/pure/shown.ts'

/** What a result is: a note, a belief, an episode of a plan, or a turn of an agent session. */
export type MemoryKind = 'note' | 'belief' | 'episode' | 'session'

/** If a weight is given, the recall formula alone decides the order; otherwise the measured ranking does. */
export interface RecallRequest extends Partial<RecallWeights> {
  readonly text: string
  /** The most results to return (default: `usual`, and more if the question asks for all of something). */
  readonly k?: number
  /** How many results to return if `k` is absent (default: 10). */
  readonly usual?: number
  /** The open project's slug or `_global` (default: both). No other project can be asked for. */
  readonly project?: string
  /** The kinds of results (default: all of them). */
  readonly of?: readonly MemoryKind[]
  /** Such as `decision` or `fact`. */
  readonly kinds?: readonly string[]
  /** Statuses to find instead of active entries. */
  readonly status?: readonly string[]
  /** Only what was created within the last N seconds. */
  readonly window?: number
  /** Created at this time or later, and before that one; epoch milliseconds. */
  readonly from?: number
  readonly to?: number
  /** Ranks as if it were this time, in epoch milliseconds. */
  readonly at?: number
  /** How well a result must match (default: `mild`). If a weight is given, every result is shown. */
  readonly floor?: Floor
  /** Include routine records of programs, such as which agent a step was assigned to (default: false). */
  readonly routine?: boolean
  /** The most processor time to spend on looking for changed notes, in milliseconds. */
  readonly scanBudgetMs?: number
  /** The longest time to look for them, in milliseconds. A slow disk takes long and little processor time (default: four times the budget). */
  readonly scanLimitMs?: number
  /**
   * Looks only at directories that changed and at a few others, for a process that must answer at once (default: false). Each result is
   * opened in any case. Memory that may write ignores it.
   */
  readonly glance?: boolean
  /** Say why each result has its place, and what was left out. */
  readonly explain?: boolean
  /** Reports how many notes were read into the index before the answer, and of how many. A reader indexes no notes. */
  readonly onProgress?: Progress
}

/** One result of a recall, with the reasons for its rank. */
export interface RecallResult {
  readonly id: string
  readonly of: MemoryKind
  /** The note's place in the store, as a locator key. */
  readonly key?: string
  readonly project: string
  readonly kind: string
  readonly status: string
  readonly title: string
  readonly tags: readonly string[]
  readonly createdAt: number
  readonly text: string
  /** The part of it that answers best. */
  readonly passage: string | undefined
  /** The cosine with the question. Absent if there is no vector to compare, or if many other notes are nearer in meaning. */
  readonly similarity: number | undefined
  /** How well its words match, 0 to 1. */
  readonly lexical: number
  /** How recent it is, 0 to 1. */
  readonly recency: number
  /** How well it fits the time that the question names, 0 to 1. */
  readonly time: number
  readonly score: number
  /** How much of the question appears close together in it, 0 to 1. */
  readonly together: number
  /** The probability that it answers the question, 0 to 1. It means the same for every kind of result and in every store. */
  readonly probability: number
  /** What the probability was computed from. */
  readonly evidence: Evidence
  readonly alwaysLoad: boolean
  /** The directory within its project, such as `decisions`. */
  readonly section: string
  /** The author of a note, if its file names one. */
  readonly writtenBy?: Author
}

/** Whether the index knows all notes of the store. */
export interface Freshness {
  /** `behind`: there was not enough time to look at all notes. `away`: the store is not available, and notes are left out. */
  readonly store: 'current' | 'behind' | 'away'
  /** Notes that changed since they were indexed. They are ranked by their current text. */
  readonly changed: number
  /** Notes whose files were rewritten with the same text. Each is read again at every recall until a writer updates the index. */
  readonly touched?: number
  /** Keys of notes that exist but cannot be read now. */
  readonly unreadable: readonly string[]
  /** Keys of copies that a sync program made. They are left out. */
  readonly conflictCopies: readonly string[]
  /** How many items in scope have no vector yet. They are found only by words. */
  readonly pendingVectors: number
  /** A problem that a person should know about. */
  readonly notice?: string
}

/** How many results were found but not shown, and why. */
export interface LeftOut {
  /** Results that match too little of the question. */
  readonly belowFloor: number
  /** Routine records of programs. */
  readonly routine: number
}

/** The answer of a recall. */
export interface MemoryAnswer {
  readonly results: readonly RecallResult[]
  readonly freshness: Freshness
  /** Results that were found but not shown; absent if there are none. */
  readonly leftOut?: LeftOut
  /** Only if it was asked for. */
  readonly explanation?: Explanation
  /** The time that the ranking used, in epoch milliseconds. */
  readonly at: number
}
