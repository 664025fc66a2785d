/** What a head says beside its newest version. Everything here follows from the log, so heads can be dropped and rebuilt. */
import type { Concept } from '../concept.ts'
import type { Node } from '../node.ts'
import { targetsIn } from './prepare-append.ts'

export interface HeadFacts {
  readonly parent: string | undefined
  /** In the status workers claim from. */
  readonly ready: boolean
  readonly running: boolean
  readonly session: string | undefined
  readonly wakeAt: number | undefined
  readonly done: boolean
  readonly recall: RecallFacts | undefined
}

/** What recall needs to know of a node. */
export interface RecallFacts {
  readonly text: string
  /** In a status that recall returns unless asked for others. */
  readonly active: boolean
  /** Epoch milliseconds its age counts from. */
  readonly agesFrom: number
}

type Folded = Pick<Node, 'id' | 'status' | 'payload' | 'redacted' | 'createdAt'> & { readonly firstCreatedAt: number }

/** What a head says besides its newest version. */
export function foldFacts(concept: Concept, node: Folded): HeadFacts {
  const { claimable, parentField, timer } = concept
  const { payload, status, redacted } = node
  const running = claimable !== undefined && status === claimable.to
  const session = running ? payload[claimable.sessionField] : undefined
  return {
    parent: parentField === undefined ? undefined : targetsIn(payload, parentField)[0],
    ready: claimable !== undefined && status === claimable.from && !redacted,
    running: running && !redacted,
    session: typeof session === 'string' ? session : undefined,
    wakeAt: redacted ? undefined : timer?.(payload),
    done: isDone(concept, status),
    recall: redacted ? undefined : recallFacts(concept, node),
  }
}

/** Whether a status counts as done for what depends on the node. */
export function isDone({ dependsOn }: Concept, status: string | undefined): boolean {
  return dependsOn !== undefined && status !== undefined && dependsOn.done.includes(status)
}

/**
 * Whether a version is found and ranked exactly as the one before it, so that a store may leave what recall keeps as it is.
 * Never so for a concept that ages from its versions.
 */
export function isFoundAlike(concept: Concept, before: Folded, recall: RecallFacts | undefined): boolean {
  if (recall === undefined || isKeptCurrent(concept)) return false
  const was = recallFacts(concept, before)
  return was?.text === recall.text && was.active === recall.active && Object.is(was.agesFrom, recall.agesFrom)
}

/**
 * Every version is told to recall, so that a status and a time kept there are those of the newest. Of any other concept,
 * only the head knows them.
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
