/** What learning refuses. Callers compare `code`; classes do not survive two copies of a package. */
export const learningErrorCodes = ['CONSOLIDATION_LOST', 'DISTILLER_FAILED'] as const

/** The codes of what learning refuses. */
export type LearningErrorCode = (typeof learningErrorCodes)[number]

/** The base class of what learning refuses. Compare `code`. */
export abstract class LearningError extends Error {
  abstract readonly code: LearningErrorCode
}

/** True for an error of this package, also when another copy of it threw. */
export function isLearningError(error: unknown, code?: LearningErrorCode): error is LearningError {
  if (!(error instanceof Error) || !('code' in error)) return false
  return code === undefined ? (learningErrorCodes as readonly unknown[]).includes(error.code) : error.code === code
}

/** A run slept through the end of its lease, and another one took over. It wrote nothing since. */
export class ConsolidationLostError extends LearningError {
  override readonly name = 'ConsolidationLostError'
  readonly code = 'CONSOLIDATION_LOST'
  readonly owner: string
  constructor(owner: string, options?: ErrorOptions) {
    super(
      `this consolidation of ${owner} was too slow to keep its lease, and another run goes on from where it was. Nothing is lost.`,
      options,
    )
    this.owner = owner
  }
}

/** What a distiller answered is no statement; its episodes wait for the next run. */
export class DistillerFailedError extends LearningError {
  override readonly name = 'DistillerFailedError'
  readonly code = 'DISTILLER_FAILED'
  readonly distiller: string
  constructor(distiller: string, why: string, options?: ErrorOptions) {
    super(`distiller ${distiller}: ${why}`, options)
    this.distiller = distiller
  }
}
