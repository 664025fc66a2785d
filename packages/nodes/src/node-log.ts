/**
 * What happened, in order. Versions are appended, never changed; heads, edges and counters are a fold of them, written in
 * the same transaction. Every call names the owner it acts for.
 */
import type { FeedEvent, Head, Node, Payload } from './node.ts'

/** A vector and who made it; vectors of two embedders are never compared. */
export interface ItemVector {
  readonly embedder: string
  readonly values: ArrayLike<number>
}

/** One version to write. Over an existing id, its fields are laid over the ones there. */
export interface Draft {
  readonly concept: string
  /** Bare short id or canonical id (default: a new one is made). */
  readonly id?: string
  readonly payload: Payload
  /** Fields to remove. */
  readonly unset?: readonly string[]
  /** The name of what is done, such as `completeHarnessStep`; kept as `provenanceMutation`. */
  readonly mutation: string
  /** Refuse with `ABSENT_NODE` where there is nothing to update. */
  readonly update?: boolean
  /** The vector of its text, where the writer has it already. */
  readonly vector?: ItemVector
}

/** `full` survives power loss; `normal` survives the death of any process, and is flushed by the next full one. */
export type Durability = 'full' | 'normal'

/** What becomes of a node that waited for others and waits for nothing more. */
export interface FreedDraft extends Pick<Draft, 'concept' | 'payload' | 'unset' | 'mutation'> {
  /** Only of those in this status. */
  readonly status: string
}

/** Options of `NodeLog.append`. */
export interface AppendOptions {
  readonly owner: string
  /** Which component writes. */
  readonly actor: string
  /** Of new nodes; existing ones stay where they are (default: `_global`). */
  readonly partition?: string
  /** Canonical ids and the version each must still be at; 0 means absent. They need not be among the drafts. */
  readonly expects?: Readonly<Record<string, number>>
  /** Default: the store's setting. */
  readonly durability?: Durability
  /**
   * Written over every dependent of what these drafts end that waits for nothing more: in their transaction, or in one right
   * behind it where a store decides apart from its server. A dependent that another process changed, that is redacted, or that
   * refuses the change is not changed. The append is still valid. So does everything where a process dies between the two.
   */
  readonly freed?: FreedDraft
}

/** Whose rows a call may see. */
export interface OwnerOption {
  readonly owner: string
}

/** Options of `NodeLog.history`. */
export interface HistoryOptions extends OwnerOption {
  /** Only versions above this one. */
  readonly after?: number
  readonly limit?: number
}

/** Which nodes `NodeLog.scan` answers. */
export interface ScanQuery extends OwnerOption {
  readonly concepts?: readonly string[]
  readonly ids?: readonly string[]
  readonly partition?: string
  readonly status?: string | readonly string[]
  /** Versions written at this time or later, in epoch milliseconds. */
  readonly since?: number
  /** Versions with a higher sequence number. */
  readonly after?: number
  /** Children of this node by the parent relation. */
  readonly parent?: string
  /** Sources of an indexed relation. */
  readonly related?: { readonly field: string; readonly to: string }
  /** Heads with at most this many open dependencies. */
  readonly maxRemaining?: number
  /** `heads` (default): the newest version of each id, filtered after it was chosen; `all`: every version of what matches. */
  readonly versions?: 'heads' | 'all'
  /** By sequence; `oldest` first by default. */
  readonly order?: 'oldest' | 'newest'
  /** Default: 1,000. At most 10,000. */
  readonly limit?: number
  /** From the page before. */
  readonly cursor?: string
}

/** One page of a scan, and the cursor of the next page. */
export interface Page<T> {
  readonly nodes: readonly T[]
  /** Present when there is more. */
  readonly cursor?: string
}

/** Options of `NodeLog.feed`. */
export interface FeedOptions {
  readonly owner: string | readonly string[]
  /** Sequence number to start behind (default: from now on). */
  readonly after?: number
  readonly concepts?: readonly string[]
  readonly signal?: AbortSignal
}

/** The answer of `NodeLog.check`: whether the store is sound, and what is wrong with it. */
export interface CheckReport {
  readonly ok: boolean
  readonly problems: readonly string[]
  readonly versions: number
  readonly heads: number
}

/** How much a store holds. */
export interface StoreSize {
  readonly versions: number
  readonly heads: number
  readonly recallItems: number
  readonly bytes: number
}

/**
 * Nodes in order. Versions are appended and never changed. Every call names the owner it acts for; rows of other owners
 * are invisible.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { defineConcept } from '@agentm/nodes'
 * import { z } from 'zod'
 *
 * const lamp = defineConcept({ name: 'v1:home:lamp', schema: z.object({ status: z.enum(['off', 'on']) }) })
 * const { log } = createInMemoryStore({ concepts: [lamp] })
 * const draft = { concept: lamp.name, id: 'hall', payload: { status: 'off' }, mutation: 'install' }
 * const [node] = await log.append([draft], { owner: 'ada', actor: 'docs' })
 * if (node !== undefined) {
 *   const change = { ...draft, payload: { status: 'on' }, mutation: 'switch' }
 *   await log.append([change], { owner: 'ada', actor: 'docs', expects: { [node.id]: node.version } })
 *   console.log((await log.latest(node.id, { owner: 'ada' }))?.payload['status']) // on
 *   console.log((await log.history(node.id, { owner: 'ada' })).length) // 2
 * }
 * console.log((await log.scan({ owner: 'ada', concepts: [lamp.name] })).nodes.length) // 1
 * ```
 */
export interface NodeLog {
  /**
   * Writes all drafts or none, in order, as one transaction: several versions of one id are legal. Concurrent appends may
   * share a commit; each is acknowledged after it, and refused alone. Answers the versions of the drafts.
   */
  append(drafts: readonly Draft[], options: AppendOptions): Promise<readonly Node[]>
  latest(id: string, options: OwnerOption): Promise<Head | undefined>
  /** Oldest first; empty for an absent id, and for an id of another owner. */
  history(id: string, options: HistoryOptions): Promise<readonly Node[]>
  scan(query: ScanQuery & { readonly versions: 'all' }): Promise<Page<Node>>
  scan(query: ScanQuery): Promise<Page<Head>>
  /** Every version in sequence order, each exactly once, also those whose transaction commits late. Ends by its signal. */
  feed(options: FeedOptions): AsyncIterable<FeedEvent>
  /** The sequence number of the newest version. */
  position(): Promise<number>
  /** Owners who have versions after a sequence number; for schedulers that act for each of them in turn. */
  owners(options?: { readonly after?: number }): Promise<readonly string[]>
  /**
   * Erases the content of every version of a node, for good, and appends a last version that says so. Status and
   * relations stay, so that what depends on it can still end. With `more`, another one follows at once: what a store does to
   * its files so that nothing is left to find in them may wait for the last.
   */
  redact(
    id: string,
    options: OwnerOption & { readonly actor: string; readonly more?: boolean },
  ): Promise<Node | undefined>
  /** A consistent copy; `to` is a file for embedded stores and whatever the store documents otherwise. */
  backup(to: string): Promise<void>
  /** Looks for damage and for heads that are not the fold of their log. Changes nothing. */
  check(): Promise<CheckReport>
  /** Drops everything derived and builds it again from the log. Indexed notes and sessions are left alone. */
  rebuild(): Promise<void>
  size(): Promise<StoreSize>
}
