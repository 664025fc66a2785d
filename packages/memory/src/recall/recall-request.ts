/** What may be asked of memory, and what it answers. */
import type { RecallWeights } from '@agentm/nodes'
import type { Progress } from '../index/note-index.ts'
import type { Floor } from './pure/floor.ts'
import type { Author } from '../notes/pure/shown.ts'

/** What a result is: a note, a belief or an episode. */
export type MemoryKind = 'note' | 'belief' | 'episode'

/** With a weight given, the recall formula alone decides the order; without, the ranking measured best does. */
export interface RecallRequest extends Partial<RecallWeights> {
  readonly text: string
  /** The most results to return (default: 10). */
  readonly k?: number
  /** The open project's slug or `_global` (default: both). No other project can be asked for. */
  readonly project?: string
  /** Default: notes, beliefs and episodes. */
  readonly of?: readonly MemoryKind[]
  /** Such as `decision` or `fact`. */
  readonly kinds?: readonly string[]
  /** Instead of what is active. */
  readonly status?: readonly string[]
  /** Only what was created within the last N seconds. */
  readonly window?: number
  /** Created at this time or later, and before that one; epoch milliseconds. */
  readonly from?: number
  readonly to?: number
  /** Rank as of this time, in epoch milliseconds. */
  readonly at?: number
  /** How much like an answer something has to look (default: `mild`). With a weight given, everything is shown. */
  readonly floor?: Floor
  /** Include routine records of programs, such as which agent a step was assigned to (default: false). */
  readonly routine?: boolean
  /** How long the look for changed notes may take. */
  readonly scanBudgetMs?: number
  /** Told while notes are read into the index before the answer: how many, of how many. A reader indexes none. */
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
  /** What in it answers best. */
  readonly passage: string | undefined
  /** Why it is here: the cosine. Absent where there is no vector to compare, and where many others are nearer in meaning. */
  readonly similarity: number | undefined
  /** 0 to 1. */
  readonly lexical: number
  /** 0 to 1. */
  readonly recency: number
  /** 0 to 1: how well it fits the time the question names. */
  readonly time: number
  readonly score: number
  /** 0 to 1: how much of what is asked stands close together in it. */
  readonly together: number
  readonly alwaysLoad: boolean
  /** The directory within its project, such as `decisions`. */
  readonly section: string
  /** Of a note whose file says so. */
  readonly writtenBy?: Author
}

/** Whether the index knows all notes of the store. */
export interface Freshness {
  /** `behind`: not everything could be looked at in time. `away`: the store is not there, and notes are left out. */
  readonly store: 'current' | 'behind' | 'away'
  /** Notes that changed since they were indexed. They are ranked as they are now. */
  readonly changed: number
  /** Notes whose files were written anew and say the same: each is read again until somebody who writes has noted it. */
  readonly touched?: number
  /** Keys of notes that are there and cannot be read now. */
  readonly unreadable: readonly string[]
  /** Keys of copies a sync program made, left out. */
  readonly conflictCopies: readonly string[]
  /** Items in scope that wait for a vector and were found by words alone. */
  readonly pendingVectors: number
  /** What is in the way, for a person. */
  readonly notice?: string
}

/** How many results were found and not shown, and why. */
export interface LeftOut {
  /** Too little in them answers the question. */
  readonly belowFloor: number
  /** Lines that programs write to be followed. */
  readonly routine: number
}

/** The answer of a recall. */
export interface MemoryAnswer {
  readonly results: readonly RecallResult[]
  readonly freshness: Freshness
  /** What was found and is not shown; absent where nothing was left out. */
  readonly leftOut?: LeftOut
  /** Ranked as of this time. */
  readonly at: number
}
