/**
 * The log of everything that happened, in order. Versions are appended and never changed. Heads, edges and counters are computed from them
 * and written in the same transaction. Every call names the owner it acts for.
 */
import type { FeedEvent, Head, Node, Payload } from './node.ts'

/** A vector and the embedder that made it. Vectors of two embedders are never compared. */
export interface ItemVector {
  readonly embedder: string
  readonly values: ArrayLike<number>
}

/** One version to write. On an existing id, its fields replace the current fields of the same name. */
export interface Draft {
  readonly concept: string
  /** A short id or a canonical id (default: a new id). */
  readonly id?: string
  readonly payload: Payload
  /** Fields to remove. */
  readonly unset?: readonly string[]
  /** The name of the mutation, such as `completeHarnessStep`. It is stored as `provenanceMutation`. */
  readonly mutation: string
  /** If true, refuse with `ABSENT_NODE` if the node does not exist. */
  readonly update?: boolean
  /** The vector of its text, if the writer already has it. */
  readonly vector?: ItemVector
}

/**
 * `full` survives a power failure. `normal` survives the crash of any process, and the next `full` write makes it survive a power failure
 * too.
 */
export type Durability = 'full' | 'normal'

/** The version to write for a node that waited for others and is now unblocked. */
export interface FreedDraft extends Pick<Draft, 'concept' | 'payload' | 'unset' | 'mutation'> {
  /** Only nodes in this status are changed. */
  readonly status: string
}

/** Options of `NodeLog.append`. */
export interface AppendOptions {
  readonly owner: string
  /** The component that writes. */
  readonly actor: string
  /** The partition of new nodes (default: `_global`). Existing nodes keep theirs. */
  readonly partition?: string
  /** Canonical ids, each with the version that it must still have; 0 means absent. They need not be among the drafts. */
  readonly expects?: Readonly<Record<string, number>>
  /** Durability of the write (default: the store's setting). */
  readonly durability?: Durability
  /**
   * Appended to every node that these drafts unblock, as one version each: in the same transaction, or in the next one if the store decides
   * outside its server. A dependent is skipped if another process changed it, if it is redacted, or if it refuses the change; the append is
   * still valid. The append is also valid if the process dies between the two transactions.
   */
  readonly freed?: FreedDraft
}

/** The owner whose rows a call may see. */
export interface OwnerOption {
  readonly owner: string
}

/** Options of `NodeLog.history`. */
export interface HistoryOptions extends OwnerOption {
  /** Only versions higher than this one. */
  readonly after?: number
  readonly limit?: number
}

/** The nodes that `NodeLog.scan` returns. */
export interface ScanQuery extends OwnerOption {
  readonly concepts?: readonly string[]
  readonly ids?: readonly string[]
  readonly partition?: string
  readonly status?: string | readonly string[]
  /** Only versions written at this time or later, in epoch milliseconds. */
  readonly since?: number
  /** Only versions with a higher sequence number. */
  readonly after?: number
  /** Only children of this node, or of one of these, by the parent relation. */
  readonly parent?: string | readonly string[]
  /** Only nodes that refer to this target by an indexed relation. */
  readonly related?: { readonly field: string; readonly to: string }
  /** Only heads with at most this many open dependencies. */
  readonly maxRemaining?: number
  /** `heads` (default): the newest version of each id, if that version matches. `all`: every version that matches. */
  readonly versions?: 'heads' | 'all'
  /** Order by sequence number (default: `oldest` first). */
  readonly order?: 'oldest' | 'newest'
  /** The maximum number of results (default: 1,000; at most 10,000). */
  readonly limit?: number
  /** The cursor of the previous page. */
  readonly cursor?: string
}

/** One page of a scan, and the cursor of the next page. */
export interface Page<T> {
  readonly nodes: readonly T[]
  /** Present if there are more results. */
  readonly cursor?: string
}

/** Options of `NodeLog.feed`. */
export interface FeedOptions {
  readonly owner: string | readonly string[]
  /** Start after this sequence number (default: from now on). */
  readonly after?: number
  readonly concepts?: readonly string[]
  readonly signal?: AbortSignal
}

/** The answer of `NodeLog.check`: whether the store is undamaged, and what is wrong with it. */
export interface CheckReport {
  readonly ok: boolean
  readonly problems: readonly string[]
  readonly versions: number
  readonly heads: number
}

/** A node to prune, and the version that it must still have. */
export interface PrunedNode {
  readonly id: string
  readonly version: number
}

/**
 * Why a node stays: another process wrote it after it was chosen; a node that stays refers to it, as its parent, its dependency or by an
 * indexed relation; or it has the newest version of the log.
 */
export type PruneRefusal = 'changed' | 'cited' | 'newest'

/** The answer of `NodeLog.prune`. */
export interface PruneReport {
  /** How many nodes were removed, and how many versions they had. */
  readonly nodes: number
  readonly versions: number
  readonly stayed: readonly { readonly id: string; readonly why: PruneRefusal }[]
}

/** The size of a store. */
export interface StoreSize {
  readonly versions: number
  readonly heads: number
  readonly recallItems: number
  readonly bytes: number
}

/**
 * The log of nodes. Versions are appended and never changed. Every call names the owner it acts for; rows of other owners are invisible.
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
   * Writes all drafts or none, in order, as one transaction. Several versions of one id are allowed. Concurrent appends may share a commit;
   * each is acknowledged after the commit, and a refusal affects only its own append. Returns the versions of the drafts.
   */
  append(drafts: readonly Draft[], options: AppendOptions): Promise<readonly Node[]>
  latest(id: string, options: OwnerOption): Promise<Head | undefined>
  /** The versions of a node, oldest first. Empty for an absent id, and for an id of another owner. */
  history(id: string, options: HistoryOptions): Promise<readonly Node[]>
  scan(query: ScanQuery & { readonly versions: 'all' }): Promise<Page<Node>>
  scan(query: ScanQuery): Promise<Page<Head>>
  /** Every version in sequence order, each exactly once, including those whose transaction commits late. Ends when its signal aborts. */
  feed(options: FeedOptions): AsyncIterable<FeedEvent>
  /** The sequence number of the newest version. */
  position(): Promise<number>
  /** Owners that have versions after a sequence number, for schedulers that act for each of them in turn. */
  owners(options?: { readonly after?: number }): Promise<readonly string[]>
  /**
   * Permanently deletes the content of every version of a node, and appends a last version that records this. Status and relations stay, so
   * that nodes that depend on it can still finish. `more` says that another redaction follows at once: the store may then delay the
   * clean-up of its files until the last one.
   */
  redact(
    id: string,
    options: OwnerOption & { readonly actor: string; readonly more?: boolean },
  ): Promise<Node | undefined>
  /**
   * Permanently removes nodes with all their versions, in one transaction. Nothing is appended. A node stays, and is listed in the answer,
   * if that would leave the log inconsistent; see `PruneRefusal`. Absent nodes, and nodes of other owners, are ignored. Sequence numbers are
   * not used again, and a feed continues after a gap. Give a few hundred nodes at a time, so that other writers do not wait.
   */
  prune(nodes: readonly PrunedNode[], options: OwnerOption): Promise<PruneReport>
  /**
   * Gives the space of removed nodes back to the operating system as far as the store can, in small pieces with pauses between them, so that
   * other writers go on. Ends early when `signal` aborts.
   */
  reclaim(options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Writes a consistent copy. `to` is a file for embedded stores; other stores document its meaning. */
  backup(to: string): Promise<void>
  /** Checks for damage, and for heads that differ from their log. Changes nothing. */
  check(): Promise<CheckReport>
  /**
   * Deletes all derived data and rebuilds it from the log. Sessions are not changed. `onProgress` is told how many nodes are done, last
   * of all of them.
   */
  rebuild(options?: { readonly onProgress?: (done: number, total: number) => void }): Promise<void>
  size(): Promise<StoreSize>
}
