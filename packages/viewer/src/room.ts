/** One part of the page: plans, for example. Each has a folder of its own here, in `contract` and in the page. */
import type { Changed } from './contract/frame.ts'

/** What an address asks for. */
export interface Asking {
  /** What stands for `:id` in the address; empty where it has none. */
  readonly id: string
  readonly query: URLSearchParams
}

export interface Room {
  /** Its addresses on the page begin with this word, and its changes are sent to `/api/change/` and this word. */
  readonly name: string
  /** What it tells, by address: `/api/plans`, or `/api/plans/:id`. */
  readonly reads: Readonly<Record<string, (asked: Asking) => Promise<object>>>
  /** The longest body of a change, in bytes (default: 65,536). */
  readonly mostBytes?: number
  /** Makes the change that was sent, or returns `undefined` if this room knows no such change. */
  change?(sent: Readonly<Record<string, unknown>>): Promise<Changed> | undefined
}

/** Nothing has the id that was asked for, because nothing was ever written. */
export class NothingHereError extends Error {
  readonly code = 'ABSENT_NODE'
  constructor(things: string) {
    super(`there are no ${things} yet.`)
  }
}
