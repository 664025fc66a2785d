/** Everything the harness refuses by itself; what the node store refuses keeps the codes of `@agentm/nodes`. */
export const harnessErrorCodes = [
  'INVALID_PLAN',
  'IDEMPOTENCY_CONFLICT',
  'STEP_REFUSED',
  'PLAN_OVER',
  'PLAN_OPEN',
  'ANSWER_REFUSED',
  'FENCED',
  'AGENT_UNAVAILABLE',
  'AMBIGUOUS_ID',
] as const

/** The codes of what the harness refuses. */
export type HarnessErrorCode = (typeof harnessErrorCodes)[number]

/**
 * The base class of what the harness refuses. Compare `code`. Refusals of the node store keep the codes of
 * `@agentm/nodes`.
 */
export abstract class HarnessError extends Error {
  abstract readonly code: HarnessErrorCode
}

/**
 * True for an error of this package, also when another copy of it threw.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts, isHarnessError, openHarness } from '@agentm/harness'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const harness = openHarness({ store, owner: 'ada', actor: 'docs' })
 * await harness.createPlan({ goal: 'x', steps: [{ key: '', title: 'A', kind: 'command' }] }).catch((error: unknown) => {
 *   if (isHarnessError(error)) console.log(error.code) // INVALID_PLAN
 * })
 * ```
 */
export function isHarnessError(error: unknown, code?: HarnessErrorCode): error is HarnessError {
  if (!(error instanceof Error) || !('code' in error)) return false
  return code === undefined ? (harnessErrorCodes as readonly unknown[]).includes(error.code) : error.code === code
}

/** A plan that cannot be written as it stands: keys used twice, dependencies that lead nowhere. */
export class InvalidPlanError extends HarnessError {
  override readonly name = 'InvalidPlanError'
  readonly code = 'INVALID_PLAN'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`this plan was not written: ${problems.join('; ')}`)
    this.problems = problems
  }
}

/** The same key was used before for something else. */
export class IdempotencyConflictError extends HarnessError {
  override readonly name = 'IdempotencyConflictError'
  readonly code = 'IDEMPOTENCY_CONFLICT'
  readonly id: string
  constructor(id: string) {
    super(`${id} exists already with other content. Use another key for other content, or the same content again.`)
    this.id = id
  }
}

/** The step is not in a state in which this can be done. */
export class StepRefusedError extends HarnessError {
  override readonly name = 'StepRefusedError'
  readonly code = 'STEP_REFUSED'
  readonly id: string
  readonly status: string
  constructor(id: string, status: string, why: string) {
    super(`${id} is ${status} and was left as it is: ${why}`)
    this.id = id
    this.status = status
  }
}

/** The plan has ended, and an end is final. */
export class PlanOverError extends HarnessError {
  override readonly name = 'PlanOverError'
  readonly code = 'PLAN_OVER'
  readonly id: string
  readonly status: string
  constructor(id: string, status: string) {
    super(`${id} is ${status}, which is final. Create a new plan for what is left to do.`)
    this.id = id
    this.status = status
  }
}

/** The plan, or one above it, still runs. */
export class PlanOpenError extends HarnessError {
  override readonly name = 'PlanOpenError'
  readonly code = 'PLAN_OPEN'
  readonly id: string
  readonly status: string
  constructor(id: string, status: string) {
    super(`${id} is ${status}: only what has ended is erased. Cancel it, or wait for its end.`)
    this.id = id
    this.status = status
  }
}

/** An answer that is not among those allowed, or to a question that was not asked. */
export class AnswerRefusedError extends HarnessError {
  override readonly name = 'AnswerRefusedError'
  readonly code = 'ANSWER_REFUSED'
  readonly id: string
  readonly allowed: readonly string[] | undefined
  constructor(id: string, why: string, allowed?: readonly string[]) {
    super(`the answer to ${id} was refused: ${why}`)
    this.id = id
    this.allowed = allowed
  }
}

/** Somebody else decided about this claim meanwhile. What it did counts for nothing; it stops. */
export class FencedError extends HarnessError {
  override readonly name = 'FencedError'
  readonly code = 'FENCED'
  readonly id: string
  readonly version: number
  constructor(id: string, version: number, why: string, options?: ErrorOptions) {
    super(`the claim on ${id} made at version ${version} is over: ${why}. Its result was discarded.`, options)
    this.id = id
    this.version = version
  }
}

/** The agent a step was given to takes no steps. */
export class AgentUnavailableError extends HarnessError {
  override readonly name = 'AgentUnavailableError'
  readonly code = 'AGENT_UNAVAILABLE'
  readonly agent: string
  /** Another try finds the same; a person has to name another agent first. */
  readonly retryable = false
  constructor(agent: string, why: string, options?: ErrorOptions) {
    super(`${agent} does not take this step: ${why}. Assign another agent, and retry the step.`, options)
    this.agent = agent
  }
}

/** The beginning of an id that several plans or steps have. */
export class AmbiguousIdError extends HarnessError {
  override readonly name = 'AmbiguousIdError'
  readonly code = 'AMBIGUOUS_ID'
  readonly words: string
  readonly ids: readonly string[]
  constructor(words: string, ids: readonly string[]) {
    super(
      `"${words}" may be any of ${ids.length}: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}. Give more of the id.`,
    )
    this.words = words
    this.ids = ids
  }
}
