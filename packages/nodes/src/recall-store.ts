/**
 * The store that recall searches. It contains the newest version of each recallable node, which the log adds in the append's transaction.
 * All of it is derived data and can be rebuilt with the same answers.
 */
import type { ItemVector } from './node-log.ts'
import type { Payload } from './node.ts'
import type { RecallWeights } from './pure/recall-score.ts'

/** Turns text into vectors. Its name is stored with every vector it makes. */
export interface Embedder {
  readonly name: string
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<readonly ArrayLike<number>[]>
}

/** Which nodes a recall considers. */
export interface RecallFilter {
  readonly owner: string
  readonly concepts?: readonly string[]
  readonly partitions?: readonly string[]
  /** Statuses to return (default: the active ones of each concept). */
  readonly status?: readonly string[]
  /** Only nodes created within the last N seconds; 0 means all of history. */
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
  /** The time from which age is computed, in epoch milliseconds (default: the store's clock). */
  readonly at?: number
}

/** One result of a recall, with the parts of its score. */
export interface RecallHit {
  readonly id: string
  readonly concept: string
  readonly partition: string
  readonly status: string | undefined
  readonly createdAt: number
  readonly payload: Payload
  readonly text: string
  readonly version: number
  /** The cosine; absent if the node or the query has no vector. */
  readonly similarity: number | undefined
  /** From 0 to 1: how well the words match, relative to the best match in this store. */
  readonly lexical: number
  /** From 0 to 1: 1 for a node of now, one half after a half-life. */
  readonly recency: number
  readonly score: number
}

/** The answer of `RecallStore.recall`. */
export interface RecallAnswer {
  readonly hits: readonly RecallHit[]
  /** Number of nodes in scope without a vector of this embedder. They are found by words and time only. */
  readonly pending: number
  /** True if it is proven that no node outside the candidates scores higher than the last hit. */
  readonly certified: boolean
  /** How often the candidate lists were widened until that was proven. */
  readonly widened: number
  readonly at: number
}

/** A node that still needs a vector. */
export interface PendingItem {
  readonly id: string
  readonly owner: string
  readonly text: string
  /** Pass it back with the vector. If the text has changed since, the vector is ignored. */
  readonly revision: number
}

/**
 * What recall searches: the newest version of each recallable node, which the log adds by itself. All of it can be rebuilt.
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
  /** The nodes that wait for a vector of this embedder, oldest first, and their total number. Without an owner, for all owners. */
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
