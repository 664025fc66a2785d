/** All data of an in-memory store. It changes only by performing a decision. */
import {
  type AppendOptions,
  type Draft,
  type FeedEvent,
  type Head,
  type Node,
  type PrunedNode,
  type PruneReport,
  type Session,
  type StoreRuntime,
  unitVector,
} from '@agentm/nodes'
import {
  type AppendDecision,
  type ConceptSet,
  decideAppend,
  decidePrune,
  feedEvent,
  foldFacts,
  freedAppend,
  freeEach,
  isDone,
  isHeld,
  type PruneCandidate,
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
  readonly rank: number | undefined
  readonly gate: string | undefined
}

/** What recall ranks: the newest version of a node that it finds. */
export interface MemoryItem
  extends
    Pick<Node, 'id' | 'concept' | 'owner' | 'partition' | 'status' | 'createdAt' | 'payload' | 'version'>,
    RecallFacts {
  readonly revision: number
  readonly vector: { readonly embedder: string; readonly unit: Float32Array } | undefined
}

export class MemoryState {
  readonly concepts: ConceptSet
  readonly runtime: StoreRuntime
  versions: Node[] = []
  /** By sequence number. */
  readonly oldStatuses = new Map<number, string>()
  readonly heads = new Map<string, StoredHead>()
  /** `field` and target to the sources of indexed relations. */
  readonly edges = new Map<string, Set<string>>()
  readonly items = new Map<string, MemoryItem>()
  readonly sessions = new Map<string, Session & { readonly held: boolean }>()
  readonly virtualTimes = new Map<string, number>()
  /** The claims that rate limits count, oldest first. */
  starts: readonly { readonly owner: string; readonly key: string; readonly at: number }[] = []
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

  /** The sequence number of the newest version. */
  get position(): number {
    return this.versions.at(-1)?.seq ?? 0
  }

  /** The event of the first version after a sequence number. */
  eventAfter(seq: number): FeedEvent | undefined {
    // Without gaps it would be at the index `seq`. Gaps move it towards the beginning.
    let i = Math.min(seq, this.versions.length)
    while ((this.versions[i - 1]?.seq ?? 0) > seq) i -= 1
    const node = this.versions[i]
    return node === undefined ? undefined : feedEvent(structuredClone(node), this.oldStatuses.get(node.seq))
  }

  /** Removes nodes with all their versions. */
  prune(asked: readonly PrunedNode[], owner: string): PruneReport {
    const given = new Map(asked.map(({ id, version }) => [id, version]))
    const candidates = [...given].flatMap(([id, version]): readonly PruneCandidate[] => {
      const now = this.heads.get(id)
      return now?.owner === owner ? [{ id, version, now, citedBy: this.#citing(id) }] : []
    })
    const { remove, stay } = decidePrune(candidates, this.position)
    const gone = new Set(remove)
    const versions = this.versions.filter(({ id }) => gone.has(id))
    for (const { seq } of versions) this.oldStatuses.delete(seq)
    this.versions = this.versions.filter(({ id }) => !gone.has(id))
    for (const sources of this.edges.values()) for (const id of gone) sources.delete(id)
    for (const id of gone) {
      this.heads.delete(id)
      this.items.delete(id)
    }
    return { nodes: gone.size, versions: versions.length, stayed: stay }
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
    const { recall: _recall, done: _done, ...facts } = foldFacts(concept, { ...node, firstCreatedAt: 0 })
    this.heads.set(head.id, { ...head, ...node, ...facts })
    for (const sources of this.edges.values()) sources.delete(head.id)
    for (const { field, indexed } of relationsOf(concept))
      if (indexed === true) this.#setEdges(head.id, field, targetsIn(node.payload, field))
    this.items.delete(head.id)
    this.wake()
    return node
  }

  /** Rebuilds heads, edges and recall items from the log. A vector stays if the text is the same. */
  rebuild(): void {
    const vectors = new Map([...this.items].map(([id, { vector }]) => [id, vector]))
    this.items.clear()
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
      if (recall !== undefined) this.#setItem(node, recall, vectors.get(node.id))
    }
  }

  #citing(id: string): readonly string[] {
    const children = [...this.heads.values()].filter(({ parent }) => parent === id)
    const sources = [...this.edges].flatMap(([name, each]) => (name.endsWith(` ${id}`) ? [...each] : []))
    return [...children.map((child) => child.id), ...sources]
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
    const node: Node = { ...version, seq: this.position + 1, payload: JSON.parse(json) }
    this.versions.push(node)
    if (oldStatus !== undefined) this.oldStatuses.set(node.seq, oldStatus)
    return structuredClone(node)
  }

  #writeHead(head: AppendDecision['heads'][number]): void {
    const { version, facts, isNew, firstCreatedAt, edges } = head
    const node = this.versions.findLast(({ id }) => id === version.id)
    if (node === undefined) return
    const kept = this.heads.get(version.id)
    const { remaining, held } = isNew || kept === undefined ? head : kept
    const { recall: _recall, done: _done, ...own } = facts
    this.heads.set(version.id, { ...node, ...own, firstCreatedAt, remaining, held })
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
    const kept = sameText ? this.items.get(node.id)?.vector : undefined
    const made = vector === undefined ? kept : { embedder: vector.embedder, unit: unitVector(vector.values) }
    if (recall === undefined) this.items.delete(node.id)
    else this.#setItem(node, recall, made)
  }

  #setItem(node: Node, recall: RecallFacts, vector: MemoryItem['vector']): void {
    const { id, concept, owner, partition, status, createdAt, version, payload } = node
    this.revision += 1
    this.items.set(id, {
      id,
      concept,
      owner,
      partition,
      status,
      createdAt,
      version,
      payload,
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

/** A copy of a head for callers, so that changing it does not change the store. */
export function headView(stored: StoredHead): Head {
  const { firstCreatedAt: _first, ready: _ready, running: _running, rank: _rank, gate: _gate, ...head } = stored
  return structuredClone(head)
}

function edgeName(field: string, to: string): string {
  return `${field} ${to}`
}
