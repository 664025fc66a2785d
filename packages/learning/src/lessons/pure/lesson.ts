/** What is learned from a turn of an agent session, and the form in which the rules read one. */
import type { BeliefKind } from '../../distillers/distiller.ts'
import type { SessionTurn } from '../../sessions/session-turn.ts'

/** What kind of thing was learned from agent sessions. */
export const lessonKinds = ['correction', 'convention', 'command', 'fix', 'decision', 'place'] as const
/** What kind of thing was learned: a correction, a convention, a working command, a fix, a decision or a place. */
export type LessonKind = (typeof lessonKinds)[number]

/** A turn of one project, as the rules read it. */
export interface LessonTurn extends Pick<
  SessionTurn,
  'asked' | 'done' | 'commands' | 'fixes' | 'decisions' | 'isOpen'
> {
  /** The id of its node. */
  readonly id: string
  /** The host and its id of the agent session. */
  readonly session: string
  readonly turn: number
  /** When it began, in epoch milliseconds. */
  readonly at: number
}

/** A statement that the rules or a model found, before it is compared with what is known. */
export interface Lesson {
  readonly kind: LessonKind
  readonly belief: BeliefKind
  readonly statement: string
  /** What the statement is about: a newer lesson about the same replaces the older one. */
  readonly subject?: string
  /** The person's own words that it comes from, if it comes from any. */
  readonly said?: string
  readonly confidence: number
  /** The turns it comes from, oldest first. */
  readonly from: readonly LessonTurn[]
}
