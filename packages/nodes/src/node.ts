/** One version of one thing. Versions are only ever added; the newest one of an id is its head. */

/** A JSON object. The concept's schema lists all its top-level fields. */
export type Payload = Readonly<Record<string, unknown>>

/** One version of one thing. Versions are only ever added; the newest version of an id is its head. */
export interface Node<P extends Payload = Payload> {
  /** `<concept>:<short>`. */
  readonly id: string
  readonly concept: string
  /** The version: 1, 2, 3 … per id, without gaps. Conditional appends compare it. */
  readonly version: number
  /** The position in the whole log. It defines the order; clocks do not. */
  readonly seq: number
  /** The owner of the row; the same in every version. */
  readonly owner: string
  /** The project it belongs to; the same in every version. */
  readonly partition: string
  /** The component that wrote this version. */
  readonly createdBy: string
  /** The store's clock, in epoch milliseconds, for people and for recency. */
  readonly createdAt: number
  /** The named mutation that wrote this version. */
  readonly provenanceMutation: string
  /** The payload's `status`, if the concept has one. */
  readonly status: string | undefined
  readonly payload: P
  /** True after the content was erased. The payload is empty then. */
  readonly redacted: boolean
}

/** The newest version of an id, with the facts that the store keeps about it. It can be rebuilt from the log. */
export interface Head<P extends Payload = Payload> extends Node<P> {
  /** Its parent by the concept's parent relation. */
  readonly parent: string | undefined
  /** How many of its dependencies are not done. */
  readonly remaining: number
  /** True while the state of its parent prevents claims. */
  readonly held: boolean
  /** The session that runs it now. */
  readonly session: string | undefined
  /** When it is next due (the `timer` of its concept), in epoch milliseconds. */
  readonly wakeAt: number | undefined
}

/** The event that subscribers receive for a version. */
export interface FeedEvent {
  /** `graph.node.created.<concept>`, and `graph.node.updated.<concept>` from the second version on. */
  readonly topics: readonly string[]
  readonly node: Node
  /** The status before this version, if there was one. */
  readonly oldStatus: string | undefined
}
