/** What the parts of a pass share: its settings, what the function waits for, and the changes to write next. */
import type { Runtime } from '@agentm/agent-loop'
import type { Durability } from '@agentm/nodes'
import type { EntryChange, FunctionLog } from './function-log.ts'
import type { Slot } from './slot.ts'

export interface PassSettings {
  readonly log: FunctionLog
  readonly runtime: Pick<Runtime, 'now' | 'sleep'>
  /** The id of the run, for messages and keys. */
  readonly id: string
  /** What seeded numbers and ids follow from (default: the id): the id of the run whose beginning this one repeats. */
  readonly seed?: string
  /** When the run began, by the store's clock. */
  readonly startedAt: number
  /** Aborts when the claim ends. */
  readonly signal: AbortSignal
}

/** A change to write, and who is notified once it is written. */
export interface Queued {
  readonly slot: Slot
  readonly change: Omit<EntryChange, 'position' | 'op' | 'name'>
  readonly durability?: Durability
  readonly written?: () => void
}

export interface PassDesk {
  readonly settings: PassSettings
  /** What the function asked for and has not been given. */
  readonly open: ReadonlySet<Slot>
  readonly isOver: boolean
  queue(queued: Queued): void
  /** The answer that was given to a question; `undefined` if there is none. */
  answerTo(questionId: string): unknown
  /** The pass does not end before this has. Its failure ends the pass. */
  inBackground(work: Promise<void>): void
}
