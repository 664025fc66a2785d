/**
 * The beliefs of one owner during a run. They are read once, and updated with what the run writes or, in a dry run, would write.
 * They can be found by words and by meaning without a request to the store.
 */
import { dot, type ItemVector, type Node, scanHeads, unitVector } from '@agentm/nodes'
import { semanticMemory } from '@agentm/memory'
import type { ConsolidationContext } from '../consolidation/consolidation-context.ts'
import { embedTexts } from '../consolidation/embed-texts.ts'
import type { Near } from './pure/decide-belief.ts'
import { type KnownBelief, knownBelief } from './pure/known-belief.ts'
import { stemsOf } from '../statements/pure/word-likeness.ts'

// The least share of a statement's words that a belief must contain to be compared with it.
const leastShared = 0.3
const embeddedAtOnce = 256

export class KnownBeliefs {
  readonly #context: ConsolidationContext
  readonly #owner: string
  readonly #beliefs = new Map<string, KnownBelief>()
  readonly #projects = new Map<string, Project>()
  readonly #bySource = new Map<string, Set<string>>()

  constructor(context: ConsolidationContext, owner: string) {
    this.#context = context
    this.#owner = owner
  }

  /** @param partition only the beliefs of this project (default: all) */
  async read(partition?: string): Promise<void> {
    const only = partition === undefined ? {} : { partition }
    const query = { owner: this.#owner, concepts: [semanticMemory.name], limit: 1000, ...only }
    for await (const head of scanHeads(this.#context.store.log, query)) this.put(head)
  }

  put(node: Node): void {
    const belief = knownBelief(node)
    if (belief === undefined) this.#drop(node.id)
    else this.set(belief)
  }

  set(belief: KnownBelief, vector?: ItemVector): void {
    const before = this.#beliefs.get(belief.id)
    this.#beliefs.set(belief.id, belief)
    const project = this.#projectOf(belief.partition)
    project.note(belief)
    if (vector !== undefined) project.units.set(belief.id, unitVector(vector.values))
    else if (before !== undefined && before.content !== belief.content) project.units.delete(belief.id)
    for (const source of belief.sources) {
      const ids = this.#bySource.get(source)
      if (ids === undefined) this.#bySource.set(source, new Set([belief.id]))
      else ids.add(belief.id)
    }
  }

  get(id: string): KnownBelief | undefined {
    return this.#beliefs.get(id)
  }

  active(): readonly KnownBelief[] {
    return [...this.#beliefs.values()].filter(({ status }) => status === 'active')
  }

  /** An active belief that is based on all of these episodes. */
  restingOn(ids: readonly string[]): KnownBelief | undefined {
    return [...(this.#bySource.get(ids[0] ?? '') ?? [])]
      .flatMap((id) => this.#beliefs.get(id) ?? [])
      .find(({ status, sources }) => status === 'active' && ids.every((id) => sources.includes(id)))
  }

  /** Reads the belief again, because another process wrote it meanwhile. */
  async refresh(id: string): Promise<void> {
    const head = await this.#context.store.log.latest(id, { owner: this.#owner })
    if (head === undefined) this.#drop(id)
    else this.put(head)
  }

  /** Beliefs of a project that share words with a text, to check whether one of them says the same in similar words. */
  alike(text: string, partition: string): readonly Near[] {
    const ids = this.#projectOf(partition).sharing(stemsOf(text))
    return this.#nearOf(ids, () => undefined)
  }

  /** All beliefs of a project that a statement is compared with: active ones, ones a person removed, and superseded ones. */
  async near(text: string, partition: string, vector: ItemVector | undefined, also?: string): Promise<readonly Near[]> {
    const project = this.#projectOf(partition)
    const similarities = await this.#similarities(project, vector)
    const ids = project.sharing(stemsOf(text))
    for (const [id, similarity] of similarities) if (similarity >= this.#context.nearness.cluster) ids.add(id)
    if (also !== undefined && this.#beliefs.get(also)?.partition === partition) ids.add(also)
    return this.#nearOf(ids, (id) => similarities.get(id))
  }

  #nearOf(ids: ReadonlySet<string>, similarityOf: (id: string) => number | undefined): readonly Near[] {
    return [...ids].flatMap((id) => {
      const belief = this.#beliefs.get(id)
      return belief === undefined ? [] : [{ belief, similarity: similarityOf(id) }]
    })
  }

  async #similarities(project: Project, vector: ItemVector | undefined): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>()
    if (vector === undefined) return found
    await this.#embed(project)
    const unit = unitVector(vector.values)
    for (const [id, own] of project.units) if (own.length === unit.length) found.set(id, dot(unit, own))
    return found
  }

  /** Computes vectors once in a run for each belief that is kept. */
  async #embed(project: Project): Promise<void> {
    const missing = [...project.ids].flatMap((id) => {
      const belief = this.#beliefs.get(id)
      return belief?.status === 'active' && !project.units.has(id) ? [belief] : []
    })
    for (let i = 0; i < missing.length; i += embeddedAtOnce) {
      const some = missing.slice(i, i + embeddedAtOnce)
      const vectors = await embedTexts(
        this.#context,
        some.map(({ content }) => content),
      )
      for (const [n, { id }] of some.entries())
        project.units.set(id, vectors[n] === undefined ? new Float32Array(0) : unitVector(vectors[n].values))
    }
  }

  #projectOf(partition: string): Project {
    const project = this.#projects.get(partition) ?? new Project()
    this.#projects.set(partition, project)
    return project
  }

  #drop(id: string): void {
    this.#beliefs.delete(id)
    for (const project of this.#projects.values()) project.drop(id)
  }
}

/** The beliefs of one project by their words, including the texts they had before a person edited them. */
class Project {
  readonly ids = new Set<string>()
  /** Empty for a text that the embedder makes no vector of. */
  readonly units = new Map<string, Float32Array>()
  readonly #byStem = new Map<string, Set<string>>()

  note({ id, stems, editedFrom, status, isRemoved, isAccepted, supersededBy }: KnownBelief): void {
    if (status !== 'active' && !isRemoved && !isAccepted && supersededBy === undefined) return this.drop(id)
    this.ids.add(id)
    if (status !== 'active') this.units.delete(id)
    for (const stem of [...stems, ...editedFrom.flatMap((text) => [...stemsOf(text)])]) {
      const holders = this.#byStem.get(stem)
      if (holders === undefined) this.#byStem.set(stem, new Set([id]))
      else holders.add(id)
    }
  }

  /** Its stems stay in the index, because every match is looked up again anyway. */
  drop(id: string): void {
    this.ids.delete(id)
    this.units.delete(id)
  }

  sharing(stems: ReadonlySet<string>): Set<string> {
    const counted = new Map<string, number>()
    for (const stem of stems)
      for (const id of this.#byStem.get(stem) ?? []) if (this.ids.has(id)) counted.set(id, (counted.get(id) ?? 0) + 1)
    const least = Math.max(1, Math.ceil(stems.size * leastShared))
    return new Set([...counted].filter(([, times]) => times >= least).map(([id]) => id))
  }
}
