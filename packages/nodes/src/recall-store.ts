/**
 * What can be found again: recallable nodes, which the log keeps here in the append's transaction, and indexed notes,
 * which their owner puts. All of it is derived; dropped and rebuilt, it gives the same answers.
 */
import type { ItemVector, OwnerOption } from './node-log.ts'
import type { Payload } from './node.ts'
import type { RecallWeights } from './pure/recall-score.ts'

/** Turns text into vectors. Its name travels with every vector it makes. */
export interface Embedder {
  readonly name: string
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<readonly ArrayLike<number>[]>
}

/** Something to find that is no node: a note, or one chunk of it. */
export interface RecallItem {
  readonly id: string
  /** What kind of thing, in the place where a node has its concept; never one of the store's concepts. */
  readonly concept: string
  readonly partition: string
  readonly text: string
  /** What it is a part of: `remove({ source })` and `put(…, { replace })` act on all of one. */
  readonly source: string
  readonly status?: string
  /** Not returned unless a status is asked for. */
  readonly active?: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly agesFrom?: number
  /** Anything its owner wants back with a hit. */
  readonly data?: Payload
  readonly vector?: ItemVector
}

/** Which items a recall considers. */
export interface RecallFilter {
  readonly owner: string
  readonly concepts?: readonly string[]
  readonly partitions?: readonly string[]
  /** Instead of each concept's active ones. */
  readonly status?: readonly string[]
  /** Only what was created within the last N seconds; 0 means all of history. */
  readonly window?: number
}

/** What is asked of `RecallStore.recall`. */
export interface RecallQuery extends RecallFilter, Partial<RecallWeights> {
  readonly text: string
  /** The most results (default: 10), at most 1,000. */
  readonly k?: number
  readonly embedder?: Embedder
  /** The vector of the text, where the caller has it already. */
  readonly vector?: ItemVector
  /** Weights by concept, before those above and those the concept declares. */
  readonly weights?: Readonly<Record<string, Partial<RecallWeights>>>
  /** Of what was put, neither text nor data is wanted back. A store may then leave them out, and answers sooner. */
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
  /** Cosine; absent where there is no vector to compare. */
  readonly similarity: number | undefined
  /** From 0 to 1: how well the words match, relative to the best match in this store. */
  readonly lexical: number
  /** 0 to 1. */
  readonly recency: number
  readonly score: number
}

/** The answer of `RecallStore.recall`. */
export interface RecallAnswer {
  readonly hits: readonly RecallHit[]
  /** Items in scope without a vector of this embedder; they were found by words and time alone. */
  readonly pending: number
  /** The threshold certificate held: no item outside the candidates can score higher than the last hit. */
  readonly certified: boolean
  /** How often the candidate lists had to be widened until it held. */
  readonly widened: number
  readonly at: number
}

/** An item that still needs a vector. */
export interface PendingItem {
  readonly id: string
  readonly owner: string
  readonly text: string
  /** Hand it back with the vector; it is refused quietly when the item has changed in between. */
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

/** What was put, at one moment. */
export interface RecallEntries {
  /** In order of id. Shared between callers, and never changed. */
  readonly entries: readonly RecallEntry[]
  /**
   * Opaque. Two answers to one question that carry equal revisions, from stores over the same data, hold the same entries. So a
   * caller may cache what it computed from them. Absent where the store cannot tell, and of a page.
   */
  readonly revision?: string
}

/**
 * What recall searches: recallable nodes, which the log adds by itself, and notes, which memory adds. All of it can be
 * rebuilt.
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
  /** Adds or replaces items; with `replace`, everything of that source that is not among them goes. */
  put(items: readonly RecallItem[], options: OwnerOption & { readonly replace?: string }): Promise<void>
  /**
   * Removes items and answers how many there were. With `erase`, nothing of their text stays in the store's files, which
   * takes as long as a redaction. Nodes are removed by `redact` alone.
   */
  remove(
    what: { readonly ids: readonly string[] } | { readonly source: string },
    options: OwnerOption & { readonly erase?: boolean },
  ): Promise<number>
  /** The items that were put; page by page with `after` and `limit`. */
  entries(
    options: OwnerOption & { readonly concept?: string; readonly after?: string; readonly limit?: number },
  ): Promise<RecallEntries>
  /** What waits for a vector of this embedder, oldest first, and how much there is. For all owners if none is named. */
  pending(options: {
    readonly embedder: string
    readonly owner?: string
    readonly limit?: number
  }): Promise<{ readonly items: readonly PendingItem[]; readonly total: number }>
  /** Stores vectors; answers how many were still wanted. Zero, NaN and mismatched ones are refused. */
  putVectors(
    embedder: { readonly name: string; readonly dimensions: number },
    vectors: readonly { readonly id: string; readonly revision: number; readonly values: ArrayLike<number> }[],
  ): Promise<number>
  recall(query: RecallQuery): Promise<RecallAnswer>
}
