/** All data of an in-memory store. It changes only by performing a decision. */
import {
  type AppendOptions,
  type Draft,
  type FeedEvent,
  type Head,
  type Node,
  type RecallItem,
  type Session,
  type StoreRuntime,
  unitVector,
} from '@agentm/nodes'
import {
  type AppendDecision,
  type ConceptSet,
  decideAppend,
  feedEvent,
  foldFacts,
  freedAppend,
  freeEach,
  isDone,
  isHeld,
  redactedPayload,
  redactionOf,
  relationsOf,
  targetsIn,
  InvalidVectorError,
  type KnownHead,
  type NewVersion,
  prepareAppend,
  type PreparedAppend,
  type RecallFacts,
  StoreClosedError,
} from '@agentm/nodes/store-kit'

export type StoredHead = Head & {
  readonly firstCreatedAt: number
  readonly ready: boolean
  readonly running: boolean
}

/** A recallable node or a put item, with what recall ranks it by. */
export interface MemoryItem extends Omit<RecallItem, 'vector' | 'agesFrom' | 'active'> {
  readonly owner: string
  readonly active: boolean
  readonly agesFrom: number
  readonly version: number | undefined
  readonly revision: number
  readonly vector: { readonly embedder: string; readonly unit: Float32Array } | undefined
}

export class MemoryState {
  readonly concepts: ConceptSet
  readonly runtime: StoreRuntime
  readonly versions: Node[] = []
  readonly oldStatuses: (string | undefined)[] = []
  readonly heads = new Map<string, StoredHead>()
  /** `field` and target to the sources of indexed relations. */
  readonly edges = new Map<string, Set<string>>()
  /** Number of changes of indexed items. */
  puts = 0
  /** Items by `itemKey`, because two owners may use the same id. */
  readonly items = new Map<string, MemoryItem>()
  readonly sessions = new Map<string, Session & { readonly held: boolean }>()
  readonly virtualTimes = new Map<string, number>()
  readonly waiting = new Set<() => void>()
  /** Backups by name. They are lost when the process ends. */
  readonly backups = new Map<string, readonly Node[]>()
  fairClock = 0
  revision = 0
  closed = false

  constructor(concepts: ConceptSet, runtime: StoreRuntime) {
    this.concepts = concepts
    this.runtime = runtime
  }

  checkOpen(): void {
    if (this.closed) throw new StoreClosedError()
  }

  append(drafts: readonly Draft[], options: AppendOptions): readonly Node[] {
    const named = drafts.map((draft) => ({ ...draft, id: draft.id ?? this.runtime.newId() }))
    return this.perform(prepareAppend(this.concepts, named, options))
  }

  perform(append: PreparedAppend): readonly Node[] {
    const decision = this.decide(append)
    for (const { vector } of append.drafts)
      if (vector !== undefined) this.checkDimensions(vector.embedder, vector.values.length)
    this.applyEffects(decision)
    const nodes = decision.versions.map((version) => this.#write(version))
    for (const head of decision.heads) this.#writeHead(head)
    this.#free(append, decision)
    this.wake()
    return nodes
  }

  decide(append: PreparedAppend): AppendDecision {
    const heads = new Map<string, KnownHead>()
    for (const id of [...append.writes, ...append.reads]) {
      const head = this.heads.get(id)
      if (head !== undefined) heads.set(id, head)
    }
    return decideAppend(append, { at: this.runtime.now(), heads, concepts: this.concepts })
  }

  applyEffects({ flips, holds }: Pick<AppendDecision, 'flips' | 'holds'>): void {
    for (const { id, delta } of flips)
      for (const source of this.#dependentsOf(id))
        this.#change(source, (head) => ({ remaining: head.remaining + delta }))
    for (const { parent, concept, held } of holds)
      for (const head of this.heads.values())
        if (head.parent === parent && head.concept === concept) this.#change(head.id, () => ({ held }))
  }

  /** One embedder has one number of dimensions, for as long as a store holds a vector of it. */
  checkDimensions(embedder: string, dimensions: number): void {
    for (const { vector } of this.items.values())
      if (vector?.embedder === embedder && vector.unit.length !== dimensions)
        throw new InvalidVectorError(`${embedder} has ${vector.unit.length} dimensions here, not ${dimensions}`)
  }

  related(field: string, to: string): ReadonlySet<string> {
    return this.edges.get(edgeName(field, to)) ?? new Set()
  }

  wake(): void {
    for (const resume of this.waiting) resume()
  }

  event(seq: number): FeedEvent | undefined {
    const node = this.versions[seq - 1]
    return node === undefined ? undefined : feedEvent(structuredClone(node), this.oldStatuses[seq - 1])
  }

  /** Empties every version of a node and appends the version that records this. */
  redact(head: StoredHead, actor: string): Node {
    const concept = this.concepts.get(head.concept)
    this.versions.forEach((node, i) => {
      if (node.id === head.id)
        this.versions[i] = { ...node, payload: redactedPayload(concept, node.payload), redacted: true }
    })
    const version = redactionOf(concept, head, { actor, at: this.runtime.now() })
    const node = this.#write(version)
    const { parent, ready, running, session, wakeAt } = foldFacts(concept, { ...node, firstCreatedAt: 0 })
    this.heads.set(head.id, { ...head, ...node, parent, ready, running, session, wakeAt })
    for (const sources of this.edges.values()) sources.delete(head.id)
    for (const { field, indexed } of relationsOf(concept))
      if (indexed === true) this.#setEdges(head.id, field, targetsIn(node.payload, field))
    this.items.delete(itemKey(head))
    this.wake()
    return node
  }

  /** Rebuilds heads, edges and recall items of nodes from the log. A vector stays if the text is the same. */
  rebuild(): void {
    const vectors = new Map([...this.items].map(([key, { vector }]) => [key, vector]))
    for (const [key, { version }] of this.items) if (version !== undefined) this.items.delete(key)
    this.heads.clear()
    this.edges.clear()
    const first = new Map<string, number>()
    for (const node of this.versions) if (node.version === 1) first.set(node.id, node.createdAt)
    const newest = new Map(this.versions.map((node) => [node.id, node]))
    for (const node of newest.values()) {
      const concept = this.concepts.get(node.concept)
      const firstCreatedAt = first.get(node.id) ?? node.createdAt
      const { recall, done: _done, ...facts } = foldFacts(concept, { ...node, firstCreatedAt })
      const open = concept.dependsOn === undefined ? [] : targetsIn(node.payload, concept.dependsOn.field)
      const remaining = open.filter((id) => !isDone(concept, newest.get(id)?.status)).length
      const held = facts.parent !== undefined && isHeld(concept, newest.get(facts.parent)?.payload)
      this.heads.set(node.id, { ...node, ...facts, firstCreatedAt, remaining, held })
      for (const { field, indexed } of relationsOf(concept))
        if (indexed === true) this.#setEdges(node.id, field, targetsIn(node.payload, field))
      if (recall !== undefined) this.#setItem(node, recall, vectors.get(itemKey(node)))
    }
  }

  #free(append: PreparedAppend, { flips }: AppendDecision): void {
    const { freed, owner } = append
    if (freed === undefined) return
    const ended = flips.filter(({ delta }) => delta < 0)
    const free = [...new Set(ended.flatMap(({ id }) => this.#dependentsOf(id)))]
      .flatMap((id) => this.heads.get(id) ?? [])
      .filter((head) => head.remaining === 0 && head.status === freed.status && head.concept === freed.concept)
      .filter((head) => head.owner === owner && !head.redacted)
      .toSorted((a, b) => a.seq - b.seq)
    freeEach(
      free.map(({ id }) => id),
      (ids) => this.perform(freedAppend(this.concepts, append, { freed, ids })),
    )
  }

  #dependentsOf(id: string): readonly string[] {
    const fields = new Set(
      [...this.concepts].flatMap(({ dependsOn }) => (dependsOn === undefined ? [] : [dependsOn.field])),
    )
    return [...fields].flatMap((field) => [...this.related(field, id)])
  }

  #write({ json, oldStatus, ...version }: NewVersion): Node {
    const node: Node = { ...version, seq: this.versions.length + 1, payload: JSON.parse(json) }
    this.versions.push(node)
    this.oldStatuses.push(oldStatus)
    return structuredClone(node)
  }

  #writeHead(head: AppendDecision['heads'][number]): void {
    const { version, facts, isNew, firstCreatedAt, edges } = head
    const node = this.versions.findLast(({ id }) => id === version.id)
    if (node === undefined) return
    const kept = this.heads.get(version.id)
    const { remaining, held } = isNew || kept === undefined ? head : kept
    const { parent, ready, running, session, wakeAt } = facts
    this.heads.set(version.id, { ...node, firstCreatedAt, parent, ready, running, session, wakeAt, remaining, held })
    for (const { field, targets } of edges) this.#setEdges(version.id, field, targets)
    this.#writeItem(head, node)
  }

  #setEdges(source: string, field: string, targets: readonly string[]): void {
    for (const [name, sources] of this.edges) if (name.startsWith(`${field} `)) sources.delete(source)
    for (const target of targets) {
      const name = edgeName(field, target)
      this.edges.set(name, (this.edges.get(name) ?? new Set()).add(source))
    }
  }

  #writeItem({ facts: { recall }, sameText, vector }: AppendDecision['heads'][number], node: Node): void {
    const kept = sameText ? this.items.get(itemKey(node))?.vector : undefined
    const made = vector === undefined ? kept : { embedder: vector.embedder, unit: unitVector(vector.values) }
    if (recall === undefined) this.items.delete(itemKey(node))
    else this.#setItem(node, recall, made)
  }

  #setItem(node: Node, recall: RecallFacts, vector: MemoryItem['vector']): void {
    const { id, concept, owner, partition, status, createdAt, version, payload } = node
    this.revision += 1
    this.items.set(itemKey(node), {
      id,
      concept,
      owner,
      partition,
      source: id,
      ...(status === undefined ? {} : { status }),
      createdAt,
      version,
      data: payload,
      ...recall,
      revision: this.revision,
      vector,
    })
  }

  #change(id: string, change: (head: StoredHead) => Partial<StoredHead>): void {
    const head = this.heads.get(id)
    if (head !== undefined) this.heads.set(id, { ...head, ...change(head) })
  }
}

export function itemKey({ id, owner }: { readonly id: string; readonly owner: string }): string {
  return JSON.stringify([owner, id])
}

/** A copy of a head for callers, so that changing it does not change the store. */
export function headView({ firstCreatedAt: _first, ready: _ready, running: _running, ...head }: StoredHead): Head {
  return structuredClone(head)
}

function edgeName(field: string, to: string): string {
  return `${field} ${to}`
}
