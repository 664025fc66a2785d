/** The facts that a head stores beside its newest version. They all follow from the log, so heads can be deleted and rebuilt. */
import type { Claimable, Concept } from '../concept.ts'
import type { Node } from '../node.ts'
import { claimRank, type Flow, gateOf, runningGateOf } from './flow.ts'
import { targetsIn } from './prepare-append.ts'

export interface HeadFacts {
  readonly parent: string | undefined
  /** True if the node has the status that workers claim from, and its earliest time has come. */
  readonly ready: boolean
  readonly running: boolean
  readonly session: string | undefined
  readonly wakeAt: number | undefined
  readonly done: boolean
  /** The order of claims, of a ready node with flow control. */
  readonly rank: number | undefined
  /** The limits of a ready or running node with flow control. */
  readonly gate: string | undefined
  readonly recall: RecallFacts | undefined
}

/** The facts about a node that recall needs. */
export interface RecallFacts {
  readonly text: string
  /** True if recall returns this status by default. */
  readonly active: boolean
  /** The time from which its age is counted, in epoch milliseconds. */
  readonly agesFrom: number
}

type Folded = Pick<Node, 'id' | 'status' | 'payload' | 'redacted' | 'createdAt'> & { readonly firstCreatedAt: number }

/** Computes the facts that a head stores beside its newest version. */
export function foldFacts(concept: Concept, node: Folded): HeadFacts {
  const { claimable, parentField, timer } = concept
  const { payload, status, redacted } = node
  const running = claimable !== undefined && status === claimable.to
  const isReady = claimable !== undefined && status === claimable.from && !redacted && isTime(claimable, node)
  const session = running ? payload[claimable.sessionField] : undefined
  return {
    parent: parentField === undefined ? undefined : targetsIn(payload, parentField)[0],
    ready: isReady,
    running: running && !redacted,
    session: typeof session === 'string' ? session : undefined,
    wakeAt: redacted ? undefined : timer?.(payload, node.createdAt),
    done: isDone(concept, status),
    ...flowFacts(isReady || (running && !redacted) ? claimable?.flow?.(payload) : undefined, isReady, node.createdAt),
    recall: redacted ? undefined : recallFacts(concept, node),
  }
}

function isTime({ notBefore }: Claimable, { payload, createdAt }: Folded): boolean {
  return (notBefore?.(payload, createdAt) ?? 0) <= createdAt
}

function flowFacts(flow: Flow | undefined, isReady: boolean, since: number): Pick<HeadFacts, 'rank' | 'gate'> {
  if (flow === undefined) return { rank: undefined, gate: undefined }
  if (!isReady) return { rank: undefined, gate: runningGateOf(flow) }
  const gate = gateOf(flow)
  return { rank: gate === undefined ? undefined : claimRank(flow, since), gate }
}

/** Whether a status counts as done for the nodes that depend on this one. */
export function isDone({ dependsOn }: Concept, status: string | undefined): boolean {
  return dependsOn !== undefined && status !== undefined && dependsOn.done.includes(status)
}

/**
 * Whether recall finds and ranks a version exactly like the one before it. Then a store need not update its recall data. Always false for a
 * concept whose age counts from its versions.
 */
export function isFoundAlike(concept: Concept, before: Folded, recall: RecallFacts | undefined): boolean {
  if (recall === undefined || isKeptCurrent(concept)) return false
  const was = recallFacts(concept, before)
  return was?.text === recall.text && was.active === recall.active && Object.is(was.agesFrom, recall.agesFrom)
}

/**
 * Whether recall is updated with every version of this concept, so that it has the newest status and time. For other concepts only the head
 * has them.
 */
export function isKeptCurrent({ recallable }: Concept): boolean {
  return recallable?.agesFrom === undefined
}

function recallFacts({ recallable }: Concept, node: Folded): RecallFacts | undefined {
  if (recallable === undefined) return undefined
  const { payload, status, createdAt, firstCreatedAt } = node
  const text = recallable.text(payload)
  if (text.trim() === '') return undefined
  return {
    text,
    active: recallable.active === undefined || (status !== undefined && recallable.active.includes(status)),
    agesFrom: recallable.agesFrom?.(payload, { createdAt, firstCreatedAt }) ?? createdAt,
  }
}
