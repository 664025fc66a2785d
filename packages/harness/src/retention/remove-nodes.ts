/**
 * Removes nodes in small transactions with pauses between them, so that workers go on. If the process dies, what was removed is gone, the
 * rest is whole, and a second run removes it: nodes leave before those that they refer to, and a plan leaves last.
 */
import type { PrunedNode, PruneRefusal } from '@agentm/nodes'
import { findCitedSince } from './find-holds.ts'
import { type Batch, firstBatch, nextBatch } from './pure/next-batch.ts'
import type { RetentionContext } from './retention-context.ts'

/** A node that leaves, and the plans or sessions of its group. */
export interface LeavingNode extends PrunedNode {
  /** The root of the group. */
  readonly group: string
}

/** What was removed so far. */
export interface Removal {
  readonly nodes: number
  readonly versions: number
  readonly transactions: number
  /** The longest transaction: as long as another writer had to wait at most. */
  readonly longestMs: number
  /** Nodes that were to leave and stayed, because they were written, or something referred to them, in between. */
  readonly stayed: Readonly<Partial<Record<PruneRefusal, number>>>
}

export interface RemoveOptions {
  /** The log when the groups were chosen: what refers to a group since then keeps it. */
  readonly chosenAt: number
  /** The root of the group of a plan or session. */
  readonly groupOf: (member: string) => string | undefined
  readonly sleep: (ms: number) => Promise<void>
  readonly signal?: AbortSignal
  readonly onProgress?: (removal: Removal) => void
}

export async function removeNodes(
  context: RetentionContext,
  nodes: AsyncIterable<LeavingNode>,
  options: RemoveOptions,
): Promise<Removal> {
  const remover = new Remover(context, options)
  for await (const node of nodes) {
    if (options.signal?.aborted === true) break
    await remover.add(node)
  }
  if (options.signal?.aborted !== true) await remover.flush()
  return remover.removal
}

class Remover {
  readonly #context: RetentionContext
  readonly #options: RemoveOptions
  readonly #begun = new Set<string>()
  readonly #kept = new Set<string>()
  #waiting: LeavingNode[] = []
  #batch: Batch = firstBatch
  #endedAt = -Infinity
  #seenTo: number
  removal: Removal = { nodes: 0, versions: 0, transactions: 0, longestMs: 0, stayed: {} }

  constructor(context: RetentionContext, options: RemoveOptions) {
    this.#context = context
    this.#options = options
    this.#seenTo = options.chosenAt
  }

  async add(node: LeavingNode): Promise<void> {
    this.#waiting.push(node)
    if (this.#waiting.length >= this.#batch.nodes) await this.flush()
  }

  async flush(): Promise<void> {
    const { store, owner } = this.#context
    if (this.#waiting.length === 0) return
    // Reading the next nodes is a pause too.
    const rested = performance.now() - this.#endedAt
    if (rested < this.#batch.restMs) await this.#options.sleep(this.#batch.restMs - rested)
    await this.#lookAgain()
    const nodes = this.#waiting.filter(({ group }) => !this.#kept.has(group))
    const newlyCited = this.#waiting.length - nodes.length
    this.#waiting = []
    for (const { group } of nodes) this.#begun.add(group)
    const started = performance.now()
    const report = await store.log.prune(nodes, { owner })
    this.#endedAt = performance.now()
    const tookMs = this.#endedAt - started
    this.#batch = nextBatch(this.#batch, tookMs)
    this.#count(report, { tookMs, newlyCited })
  }

  /** Something may refer to a group that was chosen before. If its removal has not begun, it stays. */
  async #lookAgain(): Promise<void> {
    const position = await this.#context.store.log.position()
    if (position === this.#seenTo) return
    for (const id of await findCitedSince(this.#context, this.#seenTo)) {
      const group = this.#options.groupOf(id)
      if (group !== undefined && !this.#begun.has(group)) this.#kept.add(group)
    }
    this.#seenTo = position
  }

  #count(
    { nodes, versions, stayed }: Pick<Removal, 'nodes' | 'versions'> & { stayed: readonly { why: PruneRefusal }[] },
    { tookMs, newlyCited }: { readonly tookMs: number; readonly newlyCited: number },
  ): void {
    const before = this.removal
    const kept: Partial<Record<PruneRefusal, number>> = { ...before.stayed }
    if (newlyCited > 0) kept.cited = (kept.cited ?? 0) + newlyCited
    for (const { why } of stayed) kept[why] = (kept[why] ?? 0) + 1
    this.removal = {
      nodes: before.nodes + nodes,
      versions: before.versions + versions,
      transactions: before.transactions + 1,
      longestMs: Math.max(before.longestMs, tookMs),
      stayed: kept,
    }
    this.#options.onProgress?.(this.removal)
  }
}
