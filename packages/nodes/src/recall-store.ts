/**
 * The store that recall searches. It contains recallable nodes, which the log adds in the append's transaction, and indexed notes, which
 * their owner adds. All of it is derived data and can be rebuilt with the same answers.
 */
import type { ItemVector, OwnerOption } from './node-log.ts'
import type { Payload } from './node.ts'
import type { RecallWeights } from './pure/recall-score.ts'

/** Turns text into vectors. Its name is stored with every vector it makes. */
export interface Embedder {
  readonly name: string
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<readonly ArrayLike<number>[]>
}

/** An item that recall finds and that is not a node: a note, or one chunk of it. */
export interface RecallItem {
  readonly id: string
  /** The kind of item, in place of a node's concept. It must not be one of the store's concepts. */
  readonly concept: string
  readonly partition: string
  readonly text: string
  /** The source it belongs to. `remove({ source })` and `put(…, { replace })` act on all items of one source. */
  readonly source: string
  readonly status?: string
  /** If false, the item is returned only if the query names a status. */
  readonly active?: boolean
  /** When it was created, in epoch milliseconds. */
  readonly createdAt: number
  readonly agesFrom?: number
  /** Data of its owner, which a hit returns. */
  readonly data?: Payload
  readonly vector?: ItemVector
}

/** Which items a recall considers. */
export interface RecallFilter {
  readonly owner: string
  readonly concepts?: readonly string[]
  readonly partitions?: readonly string[]
  /** Statuses to return (default: the active ones of each concept). */
  readonly status?: readonly string[]
  /** Only items created within the last N seconds; 0 means all of history. */
  readonly window?: number
}

/** The query of `RecallStore.recall`. */
export interface RecallQuery extends RecallFilter, Partial<RecallWeights> {
  readonly text: string
  /** The most results (default: 10), at most 1,000. */
  readonly k?: number
  readonly embedder?: Embedder
  /** The vector of the text, if the caller already has it. */
  readonly vector?: ItemVector
  /** Weights by concept. They override the weights of the query and those of the concept. */
  readonly weights?: Readonly<Record<string, Partial<RecallWeights>>>
  /** If true, hits on indexed notes come without text and data, which lets some stores answer faster. */
  readonly bare?: boolean
  /** The time from which age is computed, in epoch milliseconds (default: the store's clock). */
  readonly at?: number
}

/** One result of a recall, with the parts of its score. */
export interface RecallHit {
  readonly id: string
  readonly concept: string
  readonly partition: string
  readonly source: string
  readonly status: string | undefined
  readonly createdAt: number
  /** The node's payload, or the item's `data`. */
  readonly payload: Payload
  readonly text: string
  readonly version: number | undefined
  /** The cosine; absent if the item or the query has no vector. */
  readonly similarity: number | undefined
  /** From 0 to 1: how well the words match, relative to the best match in this store. */
  readonly lexical: number
  /** From 0 to 1: 1 for an item of now, one half after a half-life. */
  readonly recency: number
  readonly score: number
}

/** The answer of `RecallStore.recall`. */
export interface RecallAnswer {
  readonly hits: readonly RecallHit[]
  /** Number of items in scope without a vector of this embedder. They are found by words and time only. */
  readonly pending: number
  /** True if it is proven that no item outside the candidates scores higher than the last hit. */
  readonly certified: boolean
  /** How often the candidate lists were widened until that was proven. */
  readonly widened: number
  readonly at: number
}

/** An item that still needs a vector. */
export interface PendingItem {
  readonly id: string
  readonly owner: string
  readonly text: string
  /** Pass it back with the vector. If the item has changed since, the vector is ignored. */
  readonly revision: number
}

/** One item of the index, without its score. */
export interface RecallEntry {
  readonly id: string
  readonly source: string
  readonly concept: string
  readonly partition: string
  readonly data: Payload
}

/** All indexed items at one moment. */
export interface RecallEntries {
  /** Ordered by id. The array is shared between callers and never changed. */
  readonly entries: readonly RecallEntry[]
  /**
   * An opaque value. Two answers to the same query with equal revisions, from stores over the same data, contain the same entries. A caller
   * may therefore cache what it computed from them. Absent if the store cannot tell, and for a single page.
   */
  readonly revision?: string
}

/**
 * What recall searches: recallable nodes, which the log adds by itself, and notes, which the memory package adds. All of it can be rebuilt.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { defineConcept } from '@agentm/nodes'
 * import { z } from 'zod'
 *
 * const fact = defineConcept({
 *   name: 'v1:demo:fact',
 *   schema: z.object({ text: z.string() }),
 *   recallable: { text: ({ text }) => text },
 * })
 * const { log, recall } = createInMemoryStore({ concepts: [fact] })
 * const draft = { concept: fact.name, payload: { text: 'the fuse is in the attic' }, mutation: 'learn' }
 * await log.append([draft], { owner: 'ada', actor: 'docs' })
 * const { hits } = await recall.recall({ owner: 'ada', text: 'where is the fuse?' })
 * console.log(hits[0]?.text) // the fuse is in the attic
 * ```
 */
export interface RecallStore {
  /** Adds or replaces items. With `replace`, all other items of that source are removed. */
  put(items: readonly RecallItem[], options: OwnerOption & { readonly replace?: string }): Promise<void>
  /**
   * Removes items and returns their number. With `erase`, their text is also removed from the store's files, which takes as long as a
   * redaction. Only `redact` removes nodes.
   */
  remove(
    what: { readonly ids: readonly string[] } | { readonly source: string },
    options: OwnerOption & { readonly erase?: boolean },
  ): Promise<number>
  /** The indexed items, page by page with `after` and `limit`. */
  entries(
    options: OwnerOption & { readonly concept?: string; readonly after?: string; readonly limit?: number },
  ): Promise<RecallEntries>
  /** The items that wait for a vector of this embedder, oldest first, and their total number. Without an owner, for all owners. */
  pending(options: {
    readonly embedder: string
    readonly owner?: string
    readonly limit?: number
  }): Promise<{ readonly items: readonly PendingItem[]; readonly total: number }>
  /** Stores vectors and returns how many were still needed. A zero vector, NaN, or a wrong number of dimensions is refused. */
  putVectors(
    embedder: { readonly name: string; readonly dimensions: number },
    vectors: readonly { readonly id: string; readonly revision: number; readonly values: ArrayLike<number> }[],
  ): Promise<number>
  recall(query: RecallQuery): Promise<RecallAnswer>
}
