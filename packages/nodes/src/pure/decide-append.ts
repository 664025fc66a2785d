/**
 * Second half of an append: computes the rows to write from the drafts and the heads they touch, or refuses. All checks run here, before a
 * store writes anything. The store then adds the sequence numbers and writes the rows.
 */
import type { Concept } from '../concept.ts'
import {
  AbsentNodeError,
  GuardRefusedError,
  InvalidPayloadError,
  OwnerRefusedError,
  RedactedNodeError,
  RelationRefusedError,
  VersionConflictError,
} from '../errors.ts'
import type { ItemVector } from '../node-log.ts'
import type { Node, Payload } from '../node.ts'
import { findCycle } from './find-cycle.ts'
import { foldFacts, isDone, isFoundAlike, type HeadFacts } from './fold-head.ts'
import { jsonText } from './json-text.ts'
import { mergePayload } from './merge-payload.ts'
import { relationsOf, targetsIn, type PreparedAppend, type PreparedDraft } from './prepare-append.ts'

/** A head as a store loads it for a decision. */
export interface KnownHead extends Omit<Node, 'seq' | 'createdBy' | 'provenanceMutation'> {
  readonly firstCreatedAt: number
}

/** A version to write. */
export interface NewVersion extends Omit<Node, 'seq'> {
  readonly json: string
  readonly oldStatus: string | undefined
}

/** The head an id has after the append. */
export interface NewHead {
  /** The newest of its versions in this append. */
  readonly version: NewVersion
  /** First version of this id: insert the head, else update it. */
  readonly isNew: boolean
  readonly firstCreatedAt: number
  readonly facts: HeadFacts
  /** Only for a new head. On an existing head, only `flips` and `holds` change this value. */
  readonly remaining: number
  readonly held: boolean
  /** The edges to index, by field. Only for a new head, or if the field changed. */
  readonly edges: readonly { readonly field: string; readonly targets: readonly string[] }[]
  /** True if the text did not change, so an existing vector stays valid. */
  readonly sameText: boolean
  /**
   * True if recall finds and ranks it as before, so the recall data stays unchanged. The head still gets the new status, time and payload.
   */
  readonly foundAlike: boolean
  readonly vector: ItemVector | undefined
}

/** What an append writes. */
export interface AppendDecision {
  readonly versions: readonly NewVersion[]
  readonly heads: readonly NewHead[]
  /**
   * Dependencies that became done (-1) or open again (+1). Add the delta to `remaining` of their dependents before new edges are written.
   */
  readonly flips: readonly { readonly id: string; readonly delta: 1 | -1 }[]
  /** Parents whose children of one concept become held or are released. Apply it before new heads are written. */
  readonly holds: readonly { readonly parent: string; readonly concept: string; readonly held: boolean }[]
}

export interface Situation {
  /** The store's clock, in epoch milliseconds. */
  readonly at: number
  /** Every head among `writes` and `reads` that exists. */
  readonly heads: ReadonlyMap<string, KnownHead>
  /** All concepts of the store, to find the concepts whose children a parent holds. */
  readonly concepts: Iterable<Concept>
}

interface Draftee {
  readonly concept: Concept
  readonly before: KnownHead | undefined
  version: NewVersion
  vector: ItemVector | undefined
}

/** The second half of an append: computes the rows to write from the drafts and the heads they touch, or refuses. */
export function decideAppend(append: PreparedAppend, situation: Situation): AppendDecision {
  const { heads } = situation
  for (const [id, expected] of append.expects) checkExpected(append, id, expected, heads.get(id))
  const after = new Map<string, Draftee>()
  const versions = append.drafts.map((draft) => {
    const version = nextVersion(append, draft, situation, after.get(draft.id)?.version)
    const before = heads.get(draft.id)
    after.set(draft.id, {
      concept: draft.concept,
      before,
      version,
      vector: draft.vector ?? after.get(draft.id)?.vector,
    })
    return version
  })
  checkRelations(append.owner, after, heads)
  return {
    versions,
    heads: [...after.values()].map((draftee) => newHead(draftee, after, heads)),
    flips: [...after.values()].flatMap(flip),
    holds: [...after.values()].flatMap((draftee) => holds(draftee, situation.concepts)),
  }
}

function checkExpected({ owner }: PreparedAppend, id: string, expected: number, head: KnownHead | undefined): void {
  // A row of another owner looks absent, because a version number would reveal that it exists.
  const actual = head === undefined || head.owner !== owner ? 0 : head.version
  if (actual !== expected) throw new VersionConflictError(id, expected, actual)
}

function nextVersion(
  { owner, actor, partition }: PreparedAppend,
  draft: PreparedDraft,
  { at, heads }: Situation,
  earlier: NewVersion | undefined,
): NewVersion {
  const { concept, id, mutation } = draft
  const prior = earlier ?? heads.get(id)
  if (prior === undefined && draft.update) throw new AbsentNodeError(id)
  if (prior !== undefined && prior.owner !== owner) throw foreign(id, draft.update)
  if (prior?.redacted === true) throw new RedactedNodeError(id)
  const payload = checkedPayload(draft, mergePayload(prior?.payload, stamped(draft, owner), draft.unset))
  const reason = concept.guard?.({ id, prior: prior?.payload, next: payload })
  if (reason !== undefined) throw new GuardRefusedError(id, reason)
  checkFixed(draft, prior?.payload, payload)
  const text = jsonText(payload)
  if ('problem' in text) throw new InvalidPayloadError(id, [text.problem])
  return {
    id,
    concept: concept.name,
    version: (prior?.version ?? 0) + 1,
    owner,
    partition: prior?.partition ?? partition,
    createdBy: actor,
    createdAt: at,
    provenanceMutation: mutation,
    status: typeof payload['status'] === 'string' ? payload['status'] : undefined,
    payload,
    redacted: false,
    json: text.json,
    oldStatus: prior?.status,
  }
}

function foreign(id: string, update: boolean) {
  return update
    ? new AbsentNodeError(id)
    : new OwnerRefusedError(
        `${id} belongs to another owner, and the owner of a node never changes. Use another id.`,
        id,
      )
}

/** Sets the owner and the mutation in the payload, for concepts with such fields. Callers cannot choose these values. */
function stamped({ concept, patch, mutation }: PreparedDraft, owner: string): Payload {
  const { shape } = concept.schema
  return {
    ...patch,
    ...('ownerUserId' in shape ? { ownerUserId: owner } : {}),
    ...('provenanceMutation' in shape ? { provenanceMutation: mutation } : {}),
  }
}

function checkedPayload({ concept, id }: PreparedDraft, payload: Payload): Payload {
  const parsed = concept.schema.safeParse(payload)
  if (parsed.success) return parsed.data
  throw new InvalidPayloadError(
    id,
    parsed.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)),
  )
}

/**
 * Throws if a draft changes dependencies or the parent. They are set once, because a running plan whose graph changes could never be
 * settled reliably.
 */
function checkFixed({ concept, id }: PreparedDraft, prior: Payload | undefined, next: Payload): void {
  if (prior === undefined) return
  for (const field of [concept.dependsOn?.field, concept.parentField]) {
    if (field === undefined) continue
    const [was, is] = [targetsIn(prior, field), targetsIn(next, field)]
    if (!isSameSet(was, is)) throw new RelationRefusedError(id, field, 'is fixed once it is written')
  }
}

function checkRelations(
  owner: string,
  after: ReadonlyMap<string, Draftee>,
  heads: ReadonlyMap<string, KnownHead>,
): void {
  for (const [id, { concept, before, version }] of after)
    for (const { field, mustExist } of relationsOf(concept)) {
      if (mustExist !== true) continue
      const known = new Set(before === undefined ? [] : targetsIn(before.payload, field))
      for (const target of targetsIn(version.payload, field))
        if (!known.has(target) && (after.get(target)?.version ?? heads.get(target))?.owner !== owner)
          throw new RelationRefusedError(id, field, `names ${target}, which is not there`)
    }
  const fresh = [...after.values()].filter(({ before }) => before === undefined)
  const cycle = findCycle(
    fresh.map(({ version }) => version.id),
    (id) => {
      const draftee = after.get(id)
      return draftee?.before === undefined ? dependenciesOf(draftee) : []
    },
  )
  const [first] = cycle ?? []
  if (cycle !== undefined && first !== undefined)
    throw new RelationRefusedError(first, fieldOf(after.get(first)), `goes in a circle: ${cycle.join(' → ')}`)
}

function dependenciesOf(draftee: Draftee | undefined): readonly string[] {
  const field = draftee?.concept.dependsOn?.field
  return draftee === undefined || field === undefined ? [] : targetsIn(draftee.version.payload, field)
}

function fieldOf(draftee: Draftee | undefined): string {
  return draftee?.concept.dependsOn?.field ?? 'dependsOn'
}

function newHead(
  draftee: Draftee,
  after: ReadonlyMap<string, Draftee>,
  heads: ReadonlyMap<string, KnownHead>,
): NewHead {
  const { concept, before, version, vector } = draftee
  const state = (id: string) => after.get(id)?.version ?? heads.get(id)
  const firstCreatedAt = before?.firstCreatedAt ?? version.createdAt
  const facts = foldFacts(concept, { ...version, firstCreatedAt })
  const parent = facts.parent === undefined ? undefined : state(facts.parent)
  const foundAlike = before !== undefined && vector === undefined && isFoundAlike(concept, before, facts.recall)
  return {
    version,
    isNew: before === undefined,
    firstCreatedAt,
    facts,
    remaining: dependenciesOf(draftee).filter((id) => !isDone(concept, state(id)?.status)).length,
    held: facts.parent !== undefined && isHeld(concept, parent?.payload),
    edges: changedEdges(draftee),
    sameText: foundAlike || (before !== undefined && facts.recall?.text === concept.recallable?.text(before.payload)),
    foundAlike,
    vector,
  }
}

/** Whether the named parent holds children of this concept. An absent parent holds them too. */
export function isHeld({ claimable }: Concept, parent: Payload | undefined): boolean {
  if (claimable?.heldBy === undefined) return false
  return parent === undefined || claimable.heldBy(parent)
}

/**
 * Compares two lists without duplicates. It uses a set, because a join can wait for thousands of nodes and a search per id would be slow.
 */
function isSameSet(was: readonly string[], is: readonly string[]): boolean {
  if (was.length !== is.length) return false
  const now = new Set(is)
  return was.every((id) => now.has(id))
}

function changedEdges({ concept, before, version }: Draftee) {
  return relationsOf(concept)
    .filter(({ indexed }) => indexed === true)
    .map(({ field }) => ({ field, targets: targetsIn(version.payload, field) }))
    .filter(({ field, targets }) => {
      if (before === undefined) return targets.length > 0
      const was = targetsIn(before.payload, field)
      return !isSameSet(was, targets)
    })
}

function flip({ concept, before, version }: Draftee): AppendDecision['flips'] {
  if (before === undefined || concept.dependsOn === undefined) return []
  const [was, is] = [isDone(concept, before.status), isDone(concept, version.status)]
  return was === is ? [] : [{ id: version.id, delta: is ? -1 : 1 }]
}

function holds({ before, version }: Draftee, concepts: Iterable<Concept>): AppendDecision['holds'] {
  return [...concepts]
    .filter(({ claimable, parentField }) => claimable?.heldBy !== undefined && parentField !== undefined)
    .map((concept) => ({ parent: version.id, concept, held: isHeld(concept, version.payload) }))
    .filter(({ concept, held }) => leadsTo(concept, version.concept) && held !== isHeld(concept, before?.payload))
    .map(({ parent, concept, held }) => ({ parent, concept: concept.name, held }))
}

function leadsTo({ relations, parentField }: Concept, concept: string): boolean {
  const to = relations.find(({ field }) => field === parentField)?.to
  return typeof to === 'string' ? to === concept : to?.includes(concept) === true
}
