/**
 * A kind of node: the shape of its payload, what may follow what, and how the store is to treat it. This package knows no
 * concrete concept. A package that owns one defines it and passes it to the opener.
 */
import type { z } from 'zod'
import { UnknownConceptError } from './errors.ts'
import { isConceptName } from './node-id.ts'
import type { Durability } from './node-log.ts'
import type { Payload } from './node.ts'
import type { RecallWeights } from './pure/recall-score.ts'

/** What a guard sees. It runs inside the transaction, so the state it judges is the state that is replaced. */
export interface Change<P extends Payload = Payload> {
  readonly id: string
  /** The payload being replaced; absent for a new node. */
  readonly prior: P | undefined
  readonly next: P
}

/** A payload field that names other nodes: an id, a list of ids, or nothing. Bare short ids are completed. */
export interface Relation {
  readonly field: string
  /** The concept it leads to; several, where any of them is legal (then ids must be written in full). */
  readonly to: string | readonly string[]
  readonly kind: 'parent' | 'owns' | 'formedFrom' | 'interactsWith' | (string & {})
  /** Refuse the write unless each target exists and belongs to the same owner. */
  readonly mustExist?: boolean
  /** Keep an edge index, so that `scan({ related })` finds the sources of a target. */
  readonly indexed?: boolean
}

/** Targets are of the same concept, must exist for the same owner, form no cycle, and are fixed once written. */
export interface DependsOn {
  readonly field: string
  /** Statuses in which a dependency counts as done. */
  readonly done: readonly string[]
}

/** How a worker takes it: the store finds nodes in status `from` and appends what `claim` returns. */
export interface Claimable<P extends Payload = Payload> {
  readonly from: string
  readonly to: string
  /** The payload field that names the session while the node runs. */
  readonly sessionField: string
  readonly mutation: string
  /** The payload field that says what it takes to run it, and what holds where it says nothing; see `TakeOptions.kinds`. */
  readonly kind?: { readonly field: string; readonly otherwise: string }
  /** The patch of the claim; must set `status` to `to` and `sessionField` to the session. */
  readonly claim: (payload: P, by: ClaimedBy) => Payload
  /** True for a parent (sealed, paused, over) whose children may not be claimed now. An absent parent holds too. */
  readonly heldBy?: (parent: Payload) => boolean
}

/** What of it can be found again. */
export interface Recallable<P extends Payload = Payload> {
  readonly text: (payload: P) => string
  /** Statuses that recall returns (default: any). */
  readonly active?: readonly string[]
  /** Epoch milliseconds its age counts from, where that is not the version's time (a belief: its last reinforcement). */
  readonly agesFrom?: (payload: P, at: { readonly createdAt: number; readonly firstCreatedAt: number }) => number
  readonly weights?: Partial<RecallWeights>
}

/** Who claims a row. */
export interface ClaimedBy {
  readonly session: string
  readonly at: number
  /** With `full`, a claim is on the disk before any work under it starts. */
  readonly durability: Durability
}

/** What defines a kind of node: its name, schema, guard, and how the store treats it. */
export interface ConceptDefinition<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly schema: S
  /** The reason to refuse, or nothing. Pure. */
  readonly guard?: (change: Change<z.infer<S>>) => string | undefined
  readonly relations?: readonly Relation[]
  readonly dependsOn?: DependsOn
  readonly claimable?: Claimable<z.infer<S>>
  /** When this node next wants attention, in epoch milliseconds. */
  readonly timer?: (payload: z.infer<S>) => number | undefined
  readonly recallable?: Recallable<z.infer<S>>
  /**
   * Fields that are stored as they are given, because something runs with them. In every other field, ids aside, what looks
   * like a password or a key is replaced before it is stored.
   */
  readonly verbatim?: readonly string[]
}

/** A definition checked and closed; stores hold any of them, so the payload type is the general one here. */
export interface Concept {
  readonly name: string
  readonly schema: z.ZodObject
  readonly guard: ((change: Change) => string | undefined) | undefined
  readonly relations: readonly Relation[]
  /** The field of the one `parent` relation. */
  readonly parentField: string | undefined
  readonly dependsOn: DependsOn | undefined
  readonly claimable: Claimable | undefined
  readonly timer: ((payload: Payload) => number | undefined) | undefined
  readonly recallable: Recallable | undefined
  /** With the fields that hold ids. */
  readonly verbatim: ReadonlySet<string>
}

/** Names that every row carries beside its payload; a payload field of that name would hide or fake them. */
export const reservedFields = [
  'id',
  'concept',
  'version',
  'seq',
  'owner',
  'partition',
  'payload',
  'createdAt',
  'createdBy',
  'redacted',
] as const

/**
 * Defines a kind of node. Pass the result to whatever opens the store.
 *
 * @example
 * ```ts
 * import { defineConcept } from '@agentm/nodes'
 * import { z } from 'zod'
 *
 * const lamp = defineConcept({
 *   name: 'v1:home:lamp',
 *   schema: z.object({ room: z.string(), status: z.enum(['off', 'on']).default('off') }),
 *   guard: ({ prior, next }) => (prior?.status === next.status ? `it is ${next.status} already` : undefined),
 * })
 * console.log(lamp.name) // v1:home:lamp
 * ```
 */
export function defineConcept<S extends z.ZodObject>(definition: ConceptDefinition<S>): Concept {
  const { name, schema, relations = [], dependsOn, claimable, recallable, guard, timer, verbatim = [] } = definition
  if (!isConceptName(name)) throw new TypeError(`a concept is named like v1:harness:step, not ${JSON.stringify(name)}`)
  const fields = Object.keys(schema.shape)
  const taken = reservedFields.filter((field) => fields.includes(field))
  if (taken.length > 0) throw new TypeError(`${name} declares reserved fields: ${taken.join(', ')}`)
  const named = [
    ...relations.map(({ field }) => field),
    dependsOn?.field,
    claimable?.sessionField,
    claimable?.kind?.field,
    ...verbatim,
  ]
  const unknown = named.filter((field) => field !== undefined && !fields.includes(field))
  if (unknown.length > 0) throw new TypeError(`${name} names fields it does not declare: ${unknown.join(', ')}`)
  const parents = relations.filter(({ kind }) => kind === 'parent')
  if (parents.length > 1) throw new TypeError(`${name} has more than one parent relation`)
  return Object.freeze({
    name,
    schema: schema.strict(),
    relations,
    parentField: parents[0]?.field,
    dependsOn,
    guard: guard as Concept['guard'],
    timer: timer as Concept['timer'],
    claimable: claimable as Claimable | undefined,
    recallable: recallable as Recallable | undefined,
    verbatim: new Set(named.filter((field) => field !== undefined)),
  })
}

/**
 * A concept for whoever only reads: without the shape of its payload, which takes a schema library, what it says is found and
 * read, and nothing can be appended.
 */
export function readingConcept({ name, recallable }: Pick<Concept, 'name' | 'recallable'>): Concept {
  if (!isConceptName(name)) throw new TypeError(`a concept is named like v1:harness:step, not ${JSON.stringify(name)}`)
  return Object.freeze({
    name,
    get schema(): never {
      throw new TypeError(`${name} was opened to be read; open it with its schema to append`)
    },
    relations: [],
    parentField: undefined,
    dependsOn: undefined,
    guard: undefined,
    timer: undefined,
    claimable: undefined,
    recallable,
    verbatim: new Set<string>(),
  })
}

/** The concepts one store was opened with. */
export class ConceptSet implements Iterable<Concept> {
  readonly #byName: ReadonlyMap<string, Concept>

  constructor(concepts: Iterable<Concept>) {
    const byName = new Map<string, Concept>()
    for (const concept of concepts) {
      if (byName.has(concept.name)) throw new TypeError(`two concepts are named ${concept.name}`)
      byName.set(concept.name, concept)
    }
    this.#byName = byName
  }

  get(name: string): Concept {
    const concept = this.#byName.get(name)
    if (concept === undefined) throw new UnknownConceptError(name)
    return concept
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  find(name: string): Concept | undefined {
    return this.#byName.get(name)
  }

  [Symbol.iterator](): IterableIterator<Concept> {
    return this.#byName.values()
  }
}
