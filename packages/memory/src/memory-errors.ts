/** The error codes of memory. Callers compare `code`, because classes differ between two copies of a package. */
export const memoryErrorCodes = [
  'INVALID_NOTE',
  'SLUG_TAKEN',
  'IDEMPOTENCY_CONFLICT',
  'SECRET_FOUND',
  'NOTE_ABSENT',
  'NOTE_NOT_ACTIVE',
  'NOT_FORGETTABLE',
  'NOT_RESTORABLE',
  'PERSON_NEEDED',
  'PROJECT_REFUSED',
  'STORE_NOT_MARKED',
  'SOURCE_TIER',
  'TIER_UNAVAILABLE',
  'EMBEDDER_FAILED',
  'RERANKER_FAILED',
] as const

/** The error codes of memory. */
export type MemoryErrorCode = (typeof memoryErrorCodes)[number]

/** The base class of the errors of memory. Compare `code`. */
export abstract class MemoryError extends Error {
  abstract readonly code: MemoryErrorCode
}

/**
 * True for an error of this package, also when another copy of it threw.
 *
 * @example
 * ```ts
 * import { isMemoryError } from '@agentm/memory'
 *
 * console.log(isMemoryError(new Error('something else'))) // false
 * ```
 */
export function isMemoryError(error: unknown, code?: MemoryErrorCode): error is MemoryError {
  if (!(error instanceof Error) || !('code' in error)) return false
  return code === undefined ? (memoryErrorCodes as readonly unknown[]).includes(error.code) : error.code === code
}

/** A field of the note cannot be used. `field` names it. */
export class InvalidNoteError extends MemoryError {
  override readonly name = 'InvalidNoteError'
  readonly code = 'INVALID_NOTE'
  readonly field: string
  constructor(field: string, why: string) {
    super(`${field} ${why}`)
    this.field = field
  }
}

/** Another note already has this name. Nothing was changed. */
export class SlugTakenError extends MemoryError {
  override readonly name = 'SlugTakenError'
  readonly code = 'SLUG_TAKEN'
  readonly key: string
  constructor(key: string, { forgotten = false }: { readonly forgotten?: boolean } = {}) {
    super(
      forgotten
        ? `${JSON.stringify(key)} is the name of a forgotten note and stays taken, so that no old copy comes back. Choose another slug, or restore that note.`
        : `${JSON.stringify(key)} holds another note. Choose another slug, or supersede that note with the new text.`,
    )
    this.key = key
  }
}

/** The idempotency key was used before, for another note. */
export class IdempotencyConflictError extends MemoryError {
  override readonly name = 'IdempotencyConflictError'
  readonly code = 'IDEMPOTENCY_CONFLICT'
  readonly key: string
  constructor(key: string) {
    super(
      `this idempotency key was used for ${JSON.stringify(key)}, which says something else. Use a new key for a new text.`,
    )
    this.key = key
  }
}

/** The text contains a secret. The message names the kind of secret, never the secret. */
export class SecretFoundError extends MemoryError {
  override readonly name = 'SecretFoundError'
  readonly code = 'SECRET_FOUND'
  readonly kinds: readonly string[]
  constructor(kinds: readonly string[]) {
    super(
      `the text holds what looks like a secret (${kinds.join(', ')}) and was not saved: notes sync and are recalled into ` +
        'prompts. Save where the secret is kept instead of the secret.',
    )
    this.kinds = kinds
  }
}

/** There is no such note. */
export class NoteAbsentError extends MemoryError {
  override readonly name = 'NoteAbsentError'
  readonly code = 'NOTE_ABSENT'
  readonly wanted: string
  constructor(wanted: string) {
    super(
      `there is no note ${JSON.stringify(wanted)} in this project or among your own notes. Recall shows ids and places.`,
    )
    this.wanted = wanted
  }
}

/** The note was superseded or forgotten. */
export class NoteNotActiveError extends MemoryError {
  override readonly name = 'NoteNotActiveError'
  readonly code = 'NOTE_NOT_ACTIVE'
  readonly key: string
  readonly status: string
  constructor(key: string, status: string) {
    super(`${JSON.stringify(key)} is ${status}; only an active note can be changed.`)
    this.key = key
    this.status = status
  }
}

/** What was named cannot be forgotten. */
export class NotForgettableError extends MemoryError {
  override readonly name = 'NotForgettableError'
  readonly code = 'NOT_FORGETTABLE'
  readonly id: string
  constructor(id: string) {
    super(
      `${id} is a record of what happened, so it cannot be marked as forgotten. To delete its text: agentm forget --purge`,
    )
    this.id = id
  }
}

/** The text of the note was permanently deleted, so it cannot be restored. */
export class NotRestorableError extends MemoryError {
  override readonly name = 'NotRestorableError'
  readonly code = 'NOT_RESTORABLE'
  readonly key: string
  constructor(key: string) {
    super(`the text of ${JSON.stringify(key)} was permanently deleted. Save it again if you still know it.`)
    this.key = key
  }
}

/** Programs and agents can change only what agents wrote, and permanently delete no note. Everything else needs a person at a terminal. */
export class PersonNeededError extends MemoryError {
  override readonly name = 'PersonNeededError'
  readonly code = 'PERSON_NEEDED'
  readonly key: string
  readonly act: 'forget' | 'erase' | 'restore' | 'supersede' | 'edit' | 'decide'
  constructor(key: string, act: PersonNeededError['act']) {
    const command = personsCommand[act]
    super(
      `${JSON.stringify(key)} ${whyPerson[act]}, so a person has to say so. Nothing was changed. ` +
        `At a terminal: agentm ${command} ${JSON.stringify(key)}`,
    )
    this.key = key
    this.act = act
  }
}

const notAnAgents = 'is not known to be a note that an agent wrote'
const whyPerson = {
  forget: notAnAgents,
  erase: 'cannot be restored once its text is permanently deleted',
  restore: 'was forgotten by a person, or is not known to be written by an agent',
  supersede: notAnAgents,
  edit: notAnAgents,
  decide: 'waits for a decision',
}
const personsCommand = {
  forget: 'forget',
  erase: 'forget --purge',
  restore: 'restore',
  supersede: 'supersede',
  edit: 'supersede',
  decide: 'inbox accept, or agentm inbox reject',
}

/** The project name belongs to another repository. */
export class ProjectRefusedError extends MemoryError {
  override readonly name = 'ProjectRefusedError'
  readonly code = 'PROJECT_REFUSED'
  readonly project: string
  constructor(project: string, why: string, options?: ErrorOptions) {
    super(`memory of project ${JSON.stringify(project)} is not open here: ${why}`, options)
    this.project = project
  }
}

/** The store has no marker, or another one than expected. */
export class StoreNotMarkedError extends MemoryError {
  override readonly name = 'StoreNotMarkedError'
  readonly code = 'STORE_NOT_MARKED'
  readonly expected: string
  readonly found: string | undefined
  constructor(expected: string, found: string | undefined) {
    super(
      found === undefined
        ? `the store carries no marker, so it is not store ${expected}; nothing was indexed or changed. Is the drive mounted?`
        : `the store is ${found}, not ${expected}; nothing was indexed or changed. Mount the right one.`,
    )
    this.expected = expected
    this.found = found
  }
}

/** Notes cannot be rebuilt, because they are the source of everything else. */
export class SourceTierError extends MemoryError {
  override readonly name = 'SourceTierError'
  readonly code = 'SOURCE_TIER'
  constructor() {
    super('the source is the truth and cannot be rebuilt. Reindex local-index or shared-abstracts.')
  }
}

/** The tier cannot be rebuilt here. */
export class TierUnavailableError extends MemoryError {
  override readonly name = 'TierUnavailableError'
  readonly code = 'TIER_UNAVAILABLE'
  readonly tier: string
  constructor(tier: string, why: string) {
    super(`${tier} cannot be rebuilt here: ${why}`)
    this.tier = tier
  }
}

/** The embedder gave no usable vectors. */
export class EmbedderFailedError extends MemoryError {
  override readonly name = 'EmbedderFailedError'
  readonly code = 'EMBEDDER_FAILED'
  readonly embedder: string
  /** `input`: it refuses these texts. `service`: the service does not answer at present. */
  readonly fault: 'input' | 'service'
  constructor(embedder: string, why: string, options: ErrorOptions & { readonly fault: 'input' | 'service' }) {
    super(`embedder ${embedder}: ${why}`, options)
    this.embedder = embedder
    this.fault = options.fault
  }
}

/** The reranker gave no usable scores. Recall answers in its own order and says so. */
export class RerankerFailedError extends MemoryError {
  override readonly name = 'RerankerFailedError'
  readonly code = 'RERANKER_FAILED'
  readonly reranker: string
  constructor(reranker: string, why: string, options?: ErrorOptions) {
    super(`reranker ${reranker}: ${why}`, options)
    this.reranker = reranker
  }
}
