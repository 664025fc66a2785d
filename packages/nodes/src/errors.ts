/**
 * Everything a node store refuses. Callers compare `code`: two copies of this package in one process have two sets of
 * classes, but only one set of codes.
 */
export const nodesErrorCodes = [
  'INVALID_ID',
  'UNKNOWN_CONCEPT',
  'INVALID_PAYLOAD',
  'GUARD_REFUSED',
  'VERSION_CONFLICT',
  'OWNER_REFUSED',
  'RELATION_REFUSED',
  'ABSENT_NODE',
  'REDACTED_NODE',
  'CORRUPT_NODE',
  'INVALID_VECTOR',
  'INVALID_QUERY',
  'SESSION_LOST',
  'STORE_NEWER',
  'UNSAFE_PLACE',
  'CORRUPT_STORE',
  'STORE_BUSY',
  'STORE_FAULT',
  'STORE_CLOSED',
] as const

/** The codes of what a node store refuses. */
export type NodesErrorCode = (typeof nodesErrorCodes)[number]

/** The base class of what a node store refuses. Compare `code`: a process may hold two copies of a class. */
export abstract class NodesError extends Error {
  abstract readonly code: NodesErrorCode
}

/**
 * True for an error of this package, also when another copy of it threw.
 *
 * @example
 * ```ts
 * import { isNodesError, parseId } from '@agentm/nodes'
 *
 * try {
 *   parseId('no id')
 * } catch (error) {
 *   if (isNodesError(error)) console.log(error.code) // INVALID_ID
 * }
 * ```
 */
export function isNodesError(error: unknown, code?: NodesErrorCode): error is NodesError {
  if (!(error instanceof Error) || !('code' in error)) return false
  return code === undefined ? (nodesErrorCodes as readonly unknown[]).includes(error.code) : error.code === code
}

/** Text that is no id: empty, badly spelled, or qualified with another concept than the one it is used as. */
export class InvalidIdError extends NodesError {
  override readonly name = 'InvalidIdError'
  readonly code = 'INVALID_ID'
  readonly id: string
  constructor(id: string, why: string) {
    super(`${JSON.stringify(id)} is not usable as an id here: ${why}`)
    this.id = id
  }
}

/** A concept this store was not opened with. */
export class UnknownConceptError extends NodesError {
  override readonly name = 'UnknownConceptError'
  readonly code = 'UNKNOWN_CONCEPT'
  readonly concept: string
  constructor(concept: string) {
    super(
      `${JSON.stringify(concept)} is not among the concepts this store was opened with. Define it with defineConcept and pass it to the opener.`,
    )
    this.concept = concept
  }
}

/** A payload that does not fit its concept, or that JSON cannot hold. */
export class InvalidPayloadError extends NodesError {
  override readonly name = 'InvalidPayloadError'
  readonly code = 'INVALID_PAYLOAD'
  readonly id: string
  readonly problems: readonly string[]
  constructor(id: string, problems: readonly string[]) {
    super(`the payload of ${id} does not fit its concept: ${problems.join('; ')}`)
    this.id = id
    this.problems = problems
  }
}

/** The concept's guard said no. Nothing was written. */
export class GuardRefusedError extends NodesError {
  override readonly name = 'GuardRefusedError'
  readonly code = 'GUARD_REFUSED'
  readonly id: string
  readonly reason: string
  constructor(id: string, reason: string) {
    super(`${id} was left as it is: ${reason}`)
    this.id = id
    this.reason = reason
  }
}

/** Somebody else wrote first. Read again, decide again, write again. */
export class VersionConflictError extends NodesError {
  override readonly name = 'VersionConflictError'
  readonly code = 'VERSION_CONFLICT'
  readonly id: string
  readonly expected: number
  readonly actual: number
  constructor(id: string, expected: number, actual: number) {
    super(
      `${id} was expected at ${spoken(expected)} and is at ${spoken(actual)}: somebody wrote in between. Read it again and decide again.`,
    )
    this.id = id
    this.expected = expected
    this.actual = actual
  }
}

/** No owner was named, or the row belongs to somebody else. */
export class OwnerRefusedError extends NodesError {
  override readonly name = 'OwnerRefusedError'
  readonly code = 'OWNER_REFUSED'
  readonly id: string | undefined
  constructor(message: string, id?: string) {
    super(message)
    this.id = id
  }
}

/** A relation that leads nowhere the owner may point, or in a circle. */
export class RelationRefusedError extends NodesError {
  override readonly name = 'RelationRefusedError'
  readonly code = 'RELATION_REFUSED'
  readonly id: string
  readonly field: string
  constructor(id: string, field: string, why: string) {
    super(`${id} was not written: its ${field} ${why}`)
    this.id = id
    this.field = field
  }
}

/** An update of something that is not there, or not there for this owner; the two look the same on purpose. */
export class AbsentNodeError extends NodesError {
  override readonly name = 'AbsentNodeError'
  readonly code = 'ABSENT_NODE'
  readonly id: string
  constructor(id: string) {
    super(`nothing is known as ${id}`)
    this.id = id
  }
}

/** Its content was erased for good; there is nothing left to build a next version on. */
export class RedactedNodeError extends NodesError {
  override readonly name = 'RedactedNodeError'
  readonly code = 'REDACTED_NODE'
  readonly id: string
  constructor(id: string) {
    super(`${id} was redacted and takes no further versions. Create a new node instead.`)
    this.id = id
  }
}

/** A stored version that can no longer be read. It was left as it is. */
export class CorruptNodeError extends NodesError {
  override readonly name = 'CorruptNodeError'
  readonly code = 'CORRUPT_NODE'
  readonly id: string
  readonly version: number
  constructor(id: string, version: number, why: string, options?: ErrorOptions) {
    super(
      `version ${version} of ${id} cannot be read: ${why}. It was left as it is; restore it from a backup.`,
      options,
    )
    this.id = id
    this.version = version
  }
}

/** A vector that would poison every ranking it takes part in. */
export class InvalidVectorError extends NodesError {
  override readonly name = 'InvalidVectorError'
  readonly code = 'INVALID_VECTOR'
  constructor(why: string) {
    super(`this vector was refused: ${why}`)
  }
}

/** A question that cannot be asked. */
export class InvalidQueryError extends NodesError {
  override readonly name = 'InvalidQueryError'
  readonly code = 'INVALID_QUERY'
}

/** The session's lease ended. What it claimed may be somebody else's by now; open a new session. */
export class SessionLostError extends NodesError {
  override readonly name = 'SessionLostError'
  readonly code = 'SESSION_LOST'
  readonly session: string
  constructor(session: string) {
    super(`session ${session} is over: its lease ended or it was closed. Open a new session and claim again.`)
    this.session = session
  }
}

/** A newer program has written this store. Older ones would misread it. */
export class StoreNewerError extends NodesError {
  override readonly name = 'StoreNewerError'
  readonly code = 'STORE_NEWER'
  readonly found: number
  readonly known: number
  constructor(what: string, found: number, known: number) {
    super(
      `${what} was written by a newer version (schema ${found}; this one knows ${known}). Upgrade this installation; nothing was changed.`,
    )
    this.found = found
    this.known = known
  }
}

/** A place where a database file would be damaged: a synced folder, a network drive, a store of notes. */
export class UnsafePlaceError extends NodesError {
  override readonly name = 'UnsafePlaceError'
  readonly code = 'UNSAFE_PLACE'
}

/** The store itself is damaged. The message names where it was put. */
export class CorruptStoreError extends NodesError {
  override readonly name = 'CorruptStoreError'
  readonly code = 'CORRUPT_STORE'
}

/** Other writers held the store for the whole time this write was willing to wait. */
export class StoreBusyError extends NodesError {
  override readonly name = 'StoreBusyError'
  readonly code = 'STORE_BUSY'
  constructor(waitedMs: number, options?: ErrorOptions) {
    super(
      `the store stayed locked by other writers for ${Math.round(waitedMs)} ms. Nothing was written; try again.`,
      options,
    )
  }
}

/** The disk did not let the store be read or written: it is full, read-only, or reports an error. Nothing was written. */
export class StoreFaultError extends NodesError {
  override readonly name = 'StoreFaultError'
  readonly code = 'STORE_FAULT'
  readonly fault: StoreFault
  constructor(what: string, fault: StoreFault, options?: ErrorOptions) {
    super(`${what} was not reached: ${storeFaults[fault]}. Nothing was written.`, options)
    this.fault = fault
  }
}

const storeFaults = {
  full: 'the disk is full. Free some space, then try again',
  'read-only':
    'it may not be written. Correct the permissions of the file and its directory, or mount the disk for writing',
  'not-opened': 'it cannot be opened. Correct the permissions of the file and its directory, and make room on the disk',
  io: 'the disk is full or reports an error. Free some space or check the disk, then try again',
} as const

export type StoreFault = keyof typeof storeFaults

/** Used after `close()`. */
export class StoreClosedError extends NodesError {
  override readonly name = 'StoreClosedError'
  readonly code = 'STORE_CLOSED'
  constructor() {
    super('this store was closed. Open it again.')
  }
}

function spoken(version: number): string {
  return version === 0 ? 'nothing' : `version ${version}`
}
