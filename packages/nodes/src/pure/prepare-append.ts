/**
 * First half of an append: makes names canonical, and lists the heads that a store must load before `decideAppend` can run. Stores with
 * concurrent writers also lock these heads.
 */
import type { Concept, ConceptSet, Relation } from '../concept.ts'
import { InvalidIdError, InvalidPayloadError, OwnerRefusedError } from '../errors.ts'
import { composeId, parseId } from '../node-id.ts'
import type { AppendOptions, Draft, FreedDraft, ItemVector } from '../node-log.ts'
import type { Payload } from '../node.ts'
import { redactFields } from './secrets.ts'
import { checkVector } from './vector.ts'

/** A draft with an id. If the caller gave none, the store has made one. */
export type NamedDraft = Draft & { readonly id: string }

export interface PreparedDraft {
  readonly concept: Concept
  readonly id: string
  readonly patch: Payload
  readonly unset: readonly string[]
  readonly mutation: string
  readonly update: boolean
  readonly vector: ItemVector | undefined
}

/** An append with canonical names. */
export interface PreparedAppend {
  readonly drafts: readonly PreparedDraft[]
  readonly owner: string
  readonly actor: string
  readonly partition: string
  readonly expects: ReadonlyMap<string, number>
  /** Ids that get a new version. */
  readonly writes: readonly string[]
  /** Ids that are only read: expected versions, dependencies, parents, and relations that must exist. */
  readonly reads: readonly string[]
  readonly freed?: FreedDraft | undefined
}

/** The first half of an append: makes names canonical, and lists the heads that the store must load. */
export function prepareAppend(
  concepts: ConceptSet,
  drafts: readonly NamedDraft[],
  options: AppendOptions,
): PreparedAppend {
  checkWho(options)
  const { freed } = options
  if (freed !== undefined) prepareDraft(concepts.get(freed.concept), { ...freed, id: 'freed' })
  const prepared = drafts.map((draft) => prepareDraft(concepts.get(draft.concept), draft))
  const expects = new Map(Object.entries(options.expects ?? {}).map(([id, version]) => [checkedId(id), version]))
  const writes = new Set(prepared.map(({ id }) => id))
  const reads = new Set([...expects.keys(), ...prepared.flatMap(lookedAt)].filter((id) => !writes.has(id)))
  return {
    drafts: prepared,
    owner: options.owner,
    actor: options.actor,
    partition: options.partition ?? '_global',
    expects,
    writes: [...writes],
    reads: [...reads],
    freed,
  }
}

/** Throws if a call names no owner. */
export function checkOwner(owner: unknown): asserts owner is string {
  if (typeof owner !== 'string' || owner.trim() === '')
    throw new OwnerRefusedError('no owner was named. Every read and write must name an owner.')
  if (!owner.isWellFormed() || owner.includes('\0'))
    throw new OwnerRefusedError('the owner contains NUL or half a surrogate pair. Use ordinary text.')
}

function checkWho({ owner, actor, partition }: AppendOptions): void {
  checkOwner(owner)
  for (const [what, text] of [
    ['an actor', actor],
    ['a partition', partition ?? '_global'],
  ] as const)
    if (text.trim() === '' || !text.isWellFormed() || text.includes('\0'))
      throw new InvalidIdError(text, `${what} is ordinary text and not empty`)
}

function prepareDraft(concept: Concept, draft: NamedDraft): PreparedDraft {
  const id = composeId(concept.name, draft.id)
  if (draft.mutation.trim() === '') throw new InvalidPayloadError(id, ['every write names its mutation'])
  if (draft.vector !== undefined) checkVector(draft.vector.values)
  const patch: Record<string, unknown> = { ...redactFields(draft.payload, concept.verbatim) }
  for (const relation of relationsOf(concept))
    if (patch[relation.field] !== undefined) patch[relation.field] = canonical(relation, patch[relation.field])
  return {
    concept,
    id,
    patch,
    unset: draft.unset ?? [],
    mutation: draft.mutation,
    update: draft.update ?? false,
    vector: draft.vector,
  }
}

/** The declared relations of a concept, including its dependencies. */
export function relationsOf(concept: Concept): readonly Relation[] {
  const { name, relations, dependsOn } = concept
  if (dependsOn === undefined) return relations
  const own = { field: dependsOn.field, to: name, kind: 'dependsOn', mustExist: true, indexed: true }
  return [own, ...relations.filter(({ field }) => field !== dependsOn.field)]
}

/** The ids in a field, in order, each once. */
export function targetsIn(payload: Payload, field: string): readonly string[] {
  const value = payload[field]
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value]
  return [...new Set(ids.filter((id): id is string => typeof id === 'string' && id !== ''))]
}

function canonical(relation: Relation, value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((id: unknown) => canonical(relation, id)))]
  return typeof value === 'string' && value !== '' ? canonicalId(relation, value) : value
}

function canonicalId({ to }: Relation, id: string): string {
  if (typeof to === 'string') return composeId(to, id)
  const { concept } = parseId(id)
  if (!to.includes(concept)) throw new InvalidIdError(id, `it is none of ${to.join(', ')}`)
  return id
}

function checkedId(id: string): string {
  parseId(id)
  return id
}

function lookedAt({ concept, patch }: PreparedDraft): readonly string[] {
  return relationsOf(concept)
    .filter(({ kind, mustExist }) => mustExist === true || kind === 'parent')
    .flatMap(({ field }) => targetsIn(patch, field))
}
