/**
 * The beliefs of one owner while a run decides: read once, kept up with what the run itself writes or, in a dry run, would
 * write. Meaning is compared by the store, which has the vectors.
 */
import { type ItemVector, type Node, unitVector, dot, scanHeads } from '@agentm/nodes'
import { semanticMemory } from '../semantic-memory.ts'
import type { ConsolidationContext } from './consolidation-context.ts'
import type { Near } from './pure/decide-belief.ts'
import { type KnownBelief, knownBelief } from './pure/known-belief.ts'

// A match is among the nearest, also where many twins differ from it in one number.
const nearest = 100

export class KnownBeliefs {
  readonly #context: ConsolidationContext
  readonly #owner: string
  readonly #beliefs = new Map<string, KnownBelief>()
  /** Of this run. */
  readonly #units = new Map<string, { readonly embedder: string; readonly unit: Float32Array }>()

  constructor(context: ConsolidationContext, owner: string) {
    this.#context = context
    this.#owner = owner
  }

  async read(): Promise<void> {
    const query = { owner: this.#owner, concepts: [semanticMemory.name] }
    for await (const head of scanHeads(this.#context.store.log, query)) this.put(head)
  }

  put(node: Node, vector?: ItemVector): void {
    const belief = knownBelief(node)
    if (belief === undefined) this.#beliefs.delete(node.id)
    else this.set(belief, vector)
  }

  set(belief: KnownBelief, vector?: ItemVector): void {
    this.#beliefs.set(belief.id, belief)
    if (vector !== undefined) this.#units.set(belief.id, { embedder: vector.embedder, unit: unitVector(vector.values) })
  }

  get(id: string): KnownBelief | undefined {
    return this.#beliefs.get(id)
  }

  active(): readonly KnownBelief[] {
    return [...this.#beliefs.values()].filter(({ status }) => status === 'active')
  }

  /** Somebody wrote it meanwhile. */
  async refresh(id: string): Promise<void> {
    const head = await this.#context.store.log.latest(id, { owner: this.#owner })
    if (head === undefined) this.#beliefs.delete(id)
    else this.put(head)
  }

  /** Everything of a partition that a statement may meet: what is active, and what a person removed. */
  async near(text: string, partition: string, vector: ItemVector | undefined): Promise<readonly Near[]> {
    const here = [...this.#beliefs.values()].filter(
      (belief) => belief.partition === partition && (belief.status === 'active' || belief.isRemoved),
    )
    if (here.length === 0) return []
    const similarities =
      vector === undefined ? new Map<string, number>() : await this.#similarities(text, partition, vector)
    return here.map((belief) => ({ belief, similarity: similarities.get(belief.id) }))
  }

  async #similarities(text: string, partition: string, vector: ItemVector): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>()
    const { hits } = await this.#context.store.recall.recall({
      owner: this.#owner,
      concepts: [semanticMemory.name],
      partitions: [partition],
      status: ['active'],
      text,
      vector,
      k: nearest,
      wSem: 1,
      wLex: 0,
      wRec: 0,
    })
    for (const { id, similarity } of hits) if (similarity !== undefined) found.set(id, similarity)
    const unit = unitVector(vector.values)
    for (const [id, own] of this.#units) if (own.embedder === vector.embedder) found.set(id, dot(unit, own.unit))
    return found
  }
}
