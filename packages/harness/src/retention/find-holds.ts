/** What still needs a plan or a session: what refers to it from outside, and learning that has not read it yet. */
import { type Concept, type Head, scanHeads } from '@agentm/nodes'
import { relationsOf, targetsIn } from '@agentm/nodes/store-kit'
import { observationName, planName, stepName } from '../pure/concept-names.ts'
import { sessionOf } from './find-members.ts'
import type { GroupMember, RetentionHolds } from './pure/decide-retention.ts'
import { ownedConcepts, type RetentionContext, turnName } from './retention-context.ts'

/** How far learning has read. */
export interface LearningPosition {
  /** Up to which sequence number plans, steps and observations were read (default: none was). */
  readonly episodes?: number | undefined
  /** The same for turns of agent sessions. */
  readonly turns?: number | undefined
  /** Episodes before that position that are read again. */
  readonly held?: readonly string[]
}

/** Without `learning`, what was not learned from may leave too. */
export async function findHolds(
  context: RetentionContext,
  members: readonly GroupMember[],
  learning: LearningPosition | undefined,
): Promise<RetentionHolds> {
  const { store } = context
  return {
    cited: await findCited(context),
    unread: learning === undefined ? new Set() : await findUnread(context, members, learning),
    newest: await writtenAfter(context, undefined, (await store.log.position()) - 1),
  }
}

/** The plans and sessions that something outside of them refers to; with `after`, only what was written since. */
export async function findCited(context: RetentionContext, after = 0): Promise<ReadonlySet<string>> {
  const { store, owner, concepts } = context
  const ids = new Set<string>()
  for (const concept of citingConcepts(concepts))
    for await (const head of scanHeads(store.log, { owner, concepts: [concept.name], after }))
      if (isInForce(concept, head)) for (const id of targetsOf(concept, head)) ids.add(id)
  for await (const { payload } of scanHeads(store.log, { owner, concepts: [stepName], status: 'blocked', after })) {
    const waitsFor: unknown = payload['waitsFor']
    if (isRecord(waitsFor) && typeof waitsFor['planId'] === 'string') ids.add(waitsFor['planId'])
  }
  return membersOf(context, ids)
}

/** The plans and sessions that something refers to which was written after a sequence number; plans that follow another one or were forked from it included. */
export async function findCitedSince(context: RetentionContext, after: number): Promise<ReadonlySet<string>> {
  const { store, owner } = context
  const found = new Set(await findCited(context, after))
  for await (const { payload } of scanHeads(store.log, { owner, concepts: [planName], after }))
    for (const earlier of [payload['follows'], payload['forkedFrom']])
      if (typeof earlier === 'string') found.add(earlier)
  return found
}

/** Concepts whose nodes do not leave with a plan or session, and that refer to other nodes. */
function citingConcepts(concepts: readonly Concept[]): readonly Concept[] {
  const owned = ownedConcepts(concepts)
  return concepts.filter(({ name, relations }) => relations.length > 0 && !owned.has(name) && name !== turnName)
}

/** A belief that no longer counts needs its sources no more. */
function isInForce({ recallable }: Concept, { status, redacted }: Head): boolean {
  return !redacted && (recallable?.active === undefined || (status !== undefined && recallable.active.includes(status)))
}

function targetsOf(concept: Concept, { payload }: Head): readonly string[] {
  return relationsOf(concept).flatMap(({ field }) => targetsIn(payload, field))
}

async function findUnread(
  context: RetentionContext,
  members: readonly GroupMember[],
  { episodes, turns, held = [] }: LearningPosition,
): Promise<ReadonlySet<string>> {
  const { concepts } = context
  const unread = new Set(await membersOf(context, new Set(held)))
  const all = (kind: GroupMember['kind']) => members.filter((each) => each.kind === kind).map(({ id }) => id)
  const episodeNames = [planName, stepName, observationName]
  const later = episodes === undefined ? all('plan') : await writtenAfter(context, episodeNames, episodes)
  for (const id of later) unread.add(id)
  if (!concepts.some(({ name }) => name === turnName)) return unread
  for (const id of turns === undefined ? all('session') : await writtenAfter(context, [turnName], turns)) unread.add(id)
  return unread
}

async function writtenAfter(
  context: RetentionContext,
  concepts: readonly string[] | undefined,
  after: number,
): Promise<ReadonlySet<string>> {
  const { store, owner } = context
  const found = new Set<string>()
  const unknown = new Set<string>()
  for await (const head of scanHeads(store.log, { owner, after, ...(concepts === undefined ? {} : { concepts }) }))
    place(head, found, unknown)
  for (const id of await membersOf(context, unknown)) found.add(id)
  return found
}

const idsAtOnce = 500

/** The plans and sessions to which nodes belong. Goes from a node to its parent until one names its plan. */
async function membersOf(context: RetentionContext, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const { store, owner } = context
  const found = new Set<string>()
  for (let asked = [...ids]; asked.length > 0;) {
    const above = new Set<string>()
    for (let i = 0; i < asked.length; i += idsAtOnce)
      for await (const head of scanHeads(store.log, { owner, ids: asked.slice(i, i + idsAtOnce) }))
        place(head, found, above)
    asked = [...above]
  }
  return found
}

/** Adds the plan or session of a node to `found`, or its parent to `unknown`. */
function place(head: Head, found: Set<string>, unknown: Set<string>): void {
  const { id, concept, parent, payload } = head
  if (concept === planName) found.add(id)
  else if (concept === turnName) found.add(sessionOf(head))
  else if (typeof payload['planId'] === 'string') found.add(payload['planId'])
  else if (parent !== undefined) unknown.add(parent)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
