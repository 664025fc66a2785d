/**
 * The errors of a node store. Callers compare `code`: two copies of this package in one process have two sets of classes, but only one set
 * of codes.
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

/** The codes of the errors of a node store. */
export type NodesErrorCode = (typeof nodesErrorCodes)[number]

/** The base class of all errors of a node store. Compare `code`: a process may contain two copies of a class. */
export abstract class NodesError extends Error {
  abstract readonly code: NodesErrorCode
}

/**
 * True for an error of this package, also if another copy of the package threw it.
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

/** The text is not an id: it is empty, misspelt, or an id of another concept. */
export class InvalidIdError extends NodesError {
  override readonly name = 'InvalidIdError'
  readonly code = 'INVALID_ID'
  readonly id: string
  constructor(id: string, why: string) {
    super(`${JSON.stringify(id)} cannot be used as an id: ${why}`)
    this.id = id
  }
}

/** The store was opened without this concept. */
export class UnknownConceptError extends NodesError {
  override readonly name = 'UnknownConceptError'
  readonly code = 'UNKNOWN_CONCEPT'
  readonly concept: string
  constructor(concept: string) {
    super(
      `${JSON.stringify(concept)} is not a concept of this store. Define it with defineConcept, and pass it when you open the store.`,
    )
    this.concept = concept
  }
}

/** The payload does not match the schema of its concept, or cannot be written as JSON. */
export class InvalidPayloadError extends NodesError {
  override readonly name = 'InvalidPayloadError'
  readonly code = 'INVALID_PAYLOAD'
  readonly id: string
  readonly problems: readonly string[]
  constructor(id: string, problems: readonly string[]) {
    super(`the payload of ${id} does not match the schema of its concept: ${problems.join('; ')}`)
    this.id = id
    this.problems = problems
  }
}

/** The concept's guard refused the change. Nothing was written. */
export class GuardRefusedError extends NodesError {
  override readonly name = 'GuardRefusedError'
  readonly code = 'GUARD_REFUSED'
  readonly id: string
  readonly reason: string
  constructor(id: string, reason: string) {
    super(`${id} was not changed: ${reason}`)
    this.id = id
    this.reason = reason
  }
}

/** Another process wrote the node first. */
export class VersionConflictError extends NodesError {
  override readonly name = 'VersionConflictError'
  readonly code = 'VERSION_CONFLICT'
  readonly id: string
  readonly expected: number
  readonly actual: number
  constructor(id: string, expected: number, actual: number) {
    super(
      `${id} was expected at ${spoken(expected)} but is at ${spoken(actual)}, because another process wrote it. Read it again and retry.`,
    )
    this.id = id
    this.expected = expected
    this.actual = actual
  }
}

/** No owner was named, or the row belongs to another owner. */
export class OwnerRefusedError extends NodesError {
  override readonly name = 'OwnerRefusedError'
  readonly code = 'OWNER_REFUSED'
  readonly id: string | undefined
  constructor(message: string, id?: string) {
    super(message)
    this.id = id
  }
}

/** The relation refers to a node that the owner cannot use, or leads in a circle. */
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

/** The node does not exist, or belongs to another owner. Both cases look the same on purpose. */
export class AbsentNodeError extends NodesError {
  override readonly name = 'AbsentNodeError'
  readonly code = 'ABSENT_NODE'
  readonly id: string
  constructor(id: string) {
    super(`no plan, step or other node matches "${id}"`)
    this.id = id
  }
}

/** The content of the node was permanently deleted, so there can be no next version. */
export class RedactedNodeError extends NodesError {
  override readonly name = 'RedactedNodeError'
  readonly code = 'REDACTED_NODE'
  readonly id: string
  constructor(id: string) {
    super(`${id} was redacted, so it cannot be changed any more. Create a new node.`)
    this.id = id
  }
}

/** A stored version cannot be read any more. It was not changed. */
export class CorruptNodeError extends NodesError {
  override readonly name = 'CorruptNodeError'
  readonly code = 'CORRUPT_NODE'
  readonly id: string
  readonly version: number
  constructor(id: string, version: number, why: string, options?: ErrorOptions) {
    super(`version ${version} of ${id} cannot be read: ${why}. It was not changed. Restore it from a backup.`, options)
    this.id = id
    this.version = version
  }
}

/** The vector is not usable: it would spoil every ranking that it takes part in. */
export class InvalidVectorError extends NodesError {
  override readonly name = 'InvalidVectorError'
  readonly code = 'INVALID_VECTOR'
  constructor(why: string) {
    super(`this vector was refused: ${why}`)
  }
}

/** The query is not valid. */
export class InvalidQueryError extends NodesError {
  override readonly name = 'InvalidQueryError'
  readonly code = 'INVALID_QUERY'
}

/** The lease of the session ended, so another worker may have taken over its claims. */
export class SessionLostError extends NodesError {
  override readonly name = 'SessionLostError'
  readonly code = 'SESSION_LOST'
  readonly session: string
  constructor(session: string) {
    super(`session ${session} has ended: its lease expired, or it was closed. Open a new session and claim again.`)
    this.session = session
  }
}

/** The store was written by a newer version of agentm, and this one would misread it. */
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

/** A database file would be damaged at this place: a synced folder, a network drive, or a store of notes. */
export class UnsafePlaceError extends NodesError {
  override readonly name = 'UnsafePlaceError'
  readonly code = 'UNSAFE_PLACE'
}

/** The file of the log is damaged. The message says where it is kept. */
export class CorruptStoreError extends NodesError {
  override readonly name = 'CorruptStoreError'
  readonly code = 'CORRUPT_STORE'
}

/** Other writers kept the store locked for longer than this write waits. */
export class StoreBusyError extends NodesError {
  override readonly name = 'StoreBusyError'
  readonly code = 'STORE_BUSY'
  /** `inUse`: the file that another program has open, so that waiting alone does not help. */
  constructor(waitedMs: number, { inUse, ...options }: ErrorOptions & { readonly inUse?: string } = {}) {
    super(
      inUse === undefined
        ? `nothing was written, because other writers kept the log locked for ${Math.round(waitedMs)} ms. Try again.`
        : `nothing was changed, because another program uses the log ${inUse}. End your workers, your agents and every other program that uses agentm, then try again.`,
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
    super(`${what} could not be used: ${storeFaults[fault]}. Nothing was written.`, options)
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

/** What is wrong with the disk or the file of a store. */
export type StoreFault = keyof typeof storeFaults

/** The store was used after `close()`. */
export class StoreClosedError extends NodesError {
  override readonly name = 'StoreClosedError'
  readonly code = 'STORE_CLOSED'
  constructor() {
    super('this store is closed. Open it again.')
  }
}

function spoken(version: number): string {
  return version === 0 ? 'nothing' : `version ${version}`
}
