/** The error codes of learning. Callers compare `code`, because classes differ between two copies of a package. */
export const learningErrorCodes = [
  'CONSOLIDATION_LOST',
  'DISTILLER_FAILED',
  'UNKNOWN_SESSION',
  'LESSON_REFUSED',
  'BELIEF_REFUSED',
] as const

/** The error codes of learning. */
export type LearningErrorCode = (typeof learningErrorCodes)[number]

/** The base class of the errors of learning. Compare `code`. */
export abstract class LearningError extends Error {
  abstract readonly code: LearningErrorCode
}

/**
 * True for an error of this package, also when another copy of it threw.
 *
 * @example
 * ```ts
 * import { isLearningError } from '@agentm/learning'
 *
 * console.log(isLearningError(new Error('something else'))) // false
 * ```
 */
export function isLearningError(error: unknown, code?: LearningErrorCode): error is LearningError {
  if (!(error instanceof Error) || !('code' in error)) return false
  return code === undefined ? (learningErrorCodes as readonly unknown[]).includes(error.code) : error.code === code
}

/** The lease of this run ended while it was suspended, and another run took over. This one has written nothing since. */
export class ConsolidationLostError extends LearningError {
  override readonly name = 'ConsolidationLostError'
  readonly code = 'CONSOLIDATION_LOST'
  readonly owner: string
  constructor(owner: string, options?: ErrorOptions) {
    super(
      `the consolidation for ${owner} lost its lease, because it was too slow. Nothing is lost: another run continues it.`,
      options,
    )
    this.owner = owner
  }
}

/** The answer of a distiller is not a statement. Its episodes wait for the next run. */
export class DistillerFailedError extends LearningError {
  override readonly name = 'DistillerFailedError'
  readonly code = 'DISTILLER_FAILED'
  readonly distiller: string
  constructor(distiller: string, why: string, options?: ErrorOptions) {
    super(`distiller ${distiller}: ${why}`, options)
    this.distiller = distiller
  }
}

/** No captured session or turn has this id, or several begin with it. */
export class UnknownSessionError extends LearningError {
  override readonly name = 'UnknownSessionError'
  readonly code = 'UNKNOWN_SESSION'
  readonly session: string
  constructor(session: string, options?: ErrorOptions) {
    super(
      `no captured session or turn matches ${JSON.stringify(session)}, or several do. Give more of its id: agentm sessions --all`,
      options,
    )
    this.session = session
  }
}

/** A decision about something that was learned was refused. */
export class LessonRefusedError extends LearningError {
  override readonly name = 'LessonRefusedError'
  readonly code = 'LESSON_REFUSED'
  readonly why: string
  constructor(why: string) {
    super(`what was learned was left as it is, because ${why}. To see what waits: agentm learned`)
    this.why = why
  }
}

/** A decision about a belief was refused. */
export class BeliefRefusedError extends LearningError {
  override readonly name = 'BeliefRefusedError'
  readonly code = 'BELIEF_REFUSED'
  readonly why: string
  constructor(why: string) {
    super(`the belief was left as it is, because ${why}.`)
    this.why = why
  }
}
