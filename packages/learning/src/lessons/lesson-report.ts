/** What learning from agent sessions did. */
import type { Spent } from '../distillers/pure/spent.ts'
import type { LessonKind } from './pure/lesson.ts'

/** What to learn from, and how long it may take. */
export interface LessonRequest {
  readonly owner: string
  /** Stop after this time; the rest waits for the next call (default: no limit). */
  readonly budgetMs?: number
}

/** What was decided about one lesson, and why. */
export interface LessonExplained {
  readonly partition: string
  readonly kind: LessonKind
  readonly statement: string
  readonly outcome: 'created' | 'reinforced' | 'superseded' | 'nothing'
  readonly why?: string
  readonly belief?: string
}

/** What learning from agent sessions did. */
export interface LessonReport {
  readonly owner: string
  /** `idle`: there are no new turns. `busy`: another run is in progress, and the next call learns from these turns. */
  readonly outcome: 'done' | 'idle' | 'busy'
  /** How many turns are new. */
  readonly turns: number
  readonly lessons: readonly LessonExplained[]
  /** Lessons that were taken back in a later turn. */
  readonly withdrawn: readonly string[]
  /** Whether projects are left, because the time was over. */
  readonly more: boolean
  /** What the questions to a model cost in this call, if a model was asked. */
  readonly spent?: Spent
  /** Why a model was not asked, or not about everything, although one is configured. */
  readonly unasked?: string
}
