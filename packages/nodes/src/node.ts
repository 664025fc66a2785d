/** One version of one thing. Versions are only ever added; the newest one of an id is its head. */

/** JSON, closed at the top level by the concept's schema. */
export type Payload = Readonly<Record<string, unknown>>

/** One version of one thing. Versions are only ever added; the newest version of an id is its head. */
export interface Node<P extends Payload = Payload> {
  /** `<concept>:<short>`. */
  readonly id: string
  readonly concept: string
  /** 1, 2, 3 … without gaps, per id. The fence of every conditional append. */
  readonly version: number
  /** Position in the whole log. Order is decided by this and never by a clock. */
  readonly seq: number
  /** Whose row it is; the same in every version. */
  readonly owner: string
  /** The project it belongs to; the same in every version. */
  readonly partition: string
  /** Which component wrote this version. */
  readonly createdBy: string
  /** Epoch milliseconds by the store's clock, for people and for recency. */
  readonly createdAt: number
  /** Which named mutation wrote this version. */
  readonly provenanceMutation: string
  /** The payload's `status`, where the concept has one. */
  readonly status: string | undefined
  readonly payload: P
  /** True once the content was erased; the payload is empty then. */
  readonly redacted: boolean
}

/** The newest version of an id with what the store keeps about it: a fold of the log, rebuildable from it. */
export interface Head<P extends Payload = Payload> extends Node<P> {
  /** Its parent by the concept's parent relation. */
  readonly parent: string | undefined
  /** How many of its dependencies are not done. */
  readonly remaining: number
  /** True while its parent is in a state in which nothing of it may be claimed. */
  readonly held: boolean
  /** The session that runs it, while it runs. */
  readonly session: string | undefined
  /** When it wants attention (`timer` of its concept), in epoch milliseconds. */
  readonly wakeAt: number | undefined
}

/** What subscribers learn of an append. */
export interface FeedEvent {
  /** `graph.node.created.<concept>`, and `graph.node.updated.<concept>` from the second version on. */
  readonly topics: readonly string[]
  readonly node: Node
  /** The status before this version, where there was one. */
  readonly oldStatus: string | undefined
}
