/**
 * A kind of node: the schema of its payload, the allowed changes, and how the store treats it. This package contains no concrete concept.
 * The package that owns a concept defines it and passes it to the opener.
 */
import type { z } from 'zod'
import { UnknownConceptError } from './errors.ts'
import { isConceptName } from './node-id.ts'
import type { Durability } from './node-log.ts'
import type { Payload } from './node.ts'
import type { Flow } from './pure/flow.ts'
import type { RecallWeights } from './pure/recall-score.ts'

/** The change that a guard checks. The guard runs inside the transaction, so the state it sees is the state that is replaced. */
export interface Change<P extends Payload = Payload> {
  readonly id: string
  /** The payload being replaced; absent for a new node. */
  readonly prior: P | undefined
  readonly next: P
}

/** A payload field that contains other nodes' ids: one id, a list of ids, or nothing. Short ids are completed. */
export interface Relation {
  readonly field: string
  /** The concept of the target. With several concepts, any of them is allowed, and ids must be written in full. */
  readonly to: string | readonly string[]
  readonly kind: 'parent' | 'owns' | 'formedFrom' | 'interactsWith' | (string & {})
  /** Refuse the write unless each target exists and belongs to the same owner. */
  readonly mustExist?: boolean
  /** Keep an edge index, so that `scan({ related })` finds the sources of a target. */
  readonly indexed?: boolean
}

/** Dependencies on nodes of the same concept. They must exist for the same owner, form no cycle, and are fixed once written. */
export interface DependsOn {
  readonly field: string
  /** Statuses in which a dependency counts as done. */
  readonly done: readonly string[]
}

/** How a worker claims a node: the store finds nodes in status `from` and appends the patch that `claim` returns. */
export interface Claimable<P extends Payload = Payload> {
  readonly from: string
  readonly to: string
  /** The payload field that names the session while the node runs. */
  readonly sessionField: string
  readonly mutation: string
  /** The payload field that contains the kind of worker it needs, and the value if the field is absent; see `TakeOptions.kinds`. */
  readonly kind?: { readonly field: string; readonly otherwise: string }
  /** The patch of the claim; must set `status` to `to` and `sessionField` to the session. */
  readonly claim: (payload: P, by: ClaimedBy) => Payload
  /** True for a parent (sealed, paused, settled) whose children must not be claimed now. An absent parent also holds its children. */
  readonly heldBy?: (parent: Payload) => boolean
  /** The priority and the limits of a claim. `undefined`: the node that became ready first is claimed first. Must be pure. */
  readonly flow?: (payload: P) => Flow | undefined
  /** The time before which a node that became ready at `since` is not claimed. Its `timer` must be due then. Must be pure. */
  readonly notBefore?: (payload: P, since: number) => number | undefined
}

/** What recall finds of a node. */
export interface Recallable<P extends Payload = Payload> {
  readonly text: (payload: P) => string
  /** Statuses that recall returns (default: any). */
  readonly active?: readonly string[]
  /**
   * The time from which its age counts, in epoch milliseconds, if that is not the version's time (for a belief: its last reinforcement).
   */
  readonly agesFrom?: (payload: P, at: { readonly createdAt: number; readonly firstCreatedAt: number }) => number
  readonly weights?: Partial<RecallWeights>
}

/** Who claims a node. */
export interface ClaimedBy {
  readonly session: string
  readonly at: number
  /** With `full`, a claim is durable on disk before its work starts. */
  readonly durability: Durability
}

/** The definition of a kind of node: its name, schema, guard, and how the store treats it. */
export interface ConceptDefinition<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly schema: S
  /** Returns the reason to refuse a change, or `undefined`. Must be pure. */
  readonly guard?: (change: Change<z.infer<S>>) => string | undefined
  readonly relations?: readonly Relation[]
  readonly dependsOn?: DependsOn
  readonly claimable?: Claimable<z.infer<S>>
  /**
   * When this node is next due, in epoch milliseconds; `since` is the time of its newest version. A ready node whose timer is due is not
   * claimed until something was written.
   */
  readonly timer?: (payload: z.infer<S>, since: number) => number | undefined
  readonly recallable?: Recallable<z.infer<S>>
  /**
   * Fields that are stored unchanged, because they are executed. In every other field except ids, text that looks like a password or a key
   * is replaced before it is stored.
   */
  readonly verbatim?: readonly string[]
}

/** A checked definition. Its payload type is the general one, because a store contains any concept. */
export interface Concept {
  readonly name: string
  readonly schema: z.ZodObject
  readonly guard: ((change: Change) => string | undefined) | undefined
  readonly relations: readonly Relation[]
  /** The field of the one `parent` relation. */
  readonly parentField: string | undefined
  readonly dependsOn: DependsOn | undefined
  readonly claimable: Claimable | undefined
  readonly timer: ((payload: Payload, since: number) => number | undefined) | undefined
  readonly recallable: Recallable | undefined
  /** The verbatim fields, including the fields that contain ids. */
  readonly verbatim: ReadonlySet<string>
}

/** Names of properties that every row has beside its payload. A payload field with such a name would hide or fake them. */
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
 * A concept for readers. It has no payload schema, because a schema needs a schema library. Nodes can be found and read, but not appended.
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
