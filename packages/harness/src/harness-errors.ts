/** Every refusal of the harness. Refusals of the node store keep the codes of `@agentm/nodes`. */
export const harnessErrorCodes = [
  'INVALID_PLAN',
  'INVALID_SCHEDULE',
  'IDEMPOTENCY_CONFLICT',
  'STEP_REFUSED',
  'PLAN_OVER',
  'PLAN_OPEN',
  'FORK_REFUSED',
  'ANSWER_REFUSED',
  'ANSWER_NEEDS_PERSON',
  'FENCED',
  'AGENT_UNAVAILABLE',
  'AMBIGUOUS_ID',
  'NONDETERMINISM',
  'RUN_INSIDE_STEP',
  'FUNCTION_FAILED',
  'FUNCTION_CANCELLED',
  'FUNCTION_STEP_FAILED',
  'TREES_REFUSED',
  'TREES_CONFLICT',
] as const

/** The error codes of the harness. */
export type HarnessErrorCode = (typeof harnessErrorCodes)[number]

/**
 * The base class of the errors of the harness. Compare `code`. Errors of the node store keep the codes of `@agentm/nodes`.
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

/** The plan has mistakes, such as keys that are used twice or dependencies on steps that do not exist. */
export class InvalidPlanError extends HarnessError {
  override readonly name = 'InvalidPlanError'
  readonly code = 'INVALID_PLAN'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`the plan was not created: ${problems.join('; ')}`)
    this.problems = problems
  }
}

/** The schedule has mistakes, such as a cron expression that names no time or a time zone that does not exist. */
export class InvalidScheduleError extends HarnessError {
  override readonly name = 'InvalidScheduleError'
  readonly code = 'INVALID_SCHEDULE'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`the schedule was not added: ${problems.join('; ')}`)
    this.problems = problems
  }
}

/** The same key was already used for different content. */
export class IdempotencyConflictError extends HarnessError {
  override readonly name = 'IdempotencyConflictError'
  readonly code = 'IDEMPOTENCY_CONFLICT'
  readonly id: string
  constructor(id: string) {
    super(`${id} already exists with different content. Use another key, or the same content.`)
    this.id = id
  }
}

/** The status of the step does not allow this. */
export class StepRefusedError extends HarnessError {
  override readonly name = 'StepRefusedError'
  readonly code = 'STEP_REFUSED'
  readonly id: string
  readonly status: string
  constructor(id: string, status: string, why: string) {
    super(`${id} is ${status} and was not changed: ${why}`)
    this.id = id
    this.status = status
  }
}

/** The plan has ended, and cannot be changed any more. */
export class PlanOverError extends HarnessError {
  override readonly name = 'PlanOverError'
  readonly code = 'PLAN_OVER'
  readonly id: string
  readonly status: string
  constructor(id: string, status: string) {
    super(`${id} is already ${status}, which is final. Create a new plan for the unfinished steps.`)
    this.id = id
    this.status = status
  }
}

/** The plan, or a plan that started it, has not ended. */
export class PlanOpenError extends HarnessError {
  override readonly name = 'PlanOpenError'
  readonly code = 'PLAN_OPEN'
  readonly id: string
  readonly status: string
  constructor(id: string, status: string) {
    super(`${id} is ${status}, and only a plan or step that has ended can be erased. Cancel it, or wait until it ends.`)
    this.id = id
    this.status = status
  }
}

/** The plan cannot be run again like this, for example because the result of a step was erased. */
export class ForkRefusedError extends HarnessError {
  override readonly name = 'ForkRefusedError'
  readonly code = 'FORK_REFUSED'
  readonly id: string
  readonly problems: readonly string[]
  constructor(id: string, problems: readonly string[]) {
    super(`${id} was not forked: ${problems.join('; ')}`)
    this.id = id
    this.problems = problems
  }
}

/** The answer is not one of the allowed answers, or the step asks no such question. */
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

/** An agent answered a question that only a person may answer. */
export class AnswerNeedsPersonError extends HarnessError {
  override readonly name = 'AnswerNeedsPersonError'
  readonly code = 'ANSWER_NEEDS_PERSON'
  readonly id: string
  constructor(id: string, question: string) {
    super(
      `only a person may answer this question of ${id}: ${question}. Nothing was changed. Ask the user to answer it with agentm approve`,
    )
    this.id = id
  }
}

/** The claim was taken over or ended meanwhile. This run stops, and its result is discarded. */
export class FencedError extends HarnessError {
  override readonly name = 'FencedError'
  readonly code = 'FENCED'
  readonly id: string
  readonly version: number
  constructor(id: string, version: number, why: string, options?: ErrorOptions) {
    super(`the claim on ${id} made at version ${version} has ended: ${why}. The result was discarded.`, options)
    this.id = id
    this.version = version
  }
}

/** The agent that the step is assigned to is retired or does not exist. */
export class AgentUnavailableError extends HarnessError {
  override readonly name = 'AgentUnavailableError'
  readonly code = 'AGENT_UNAVAILABLE'
  readonly agent: string
  /** Retrying does not help: a person has to assign another agent first. */
  readonly retryable = false
  constructor(agent: string, why: string, options?: ErrorOptions) {
    super(`${agent} cannot take this step: ${why}. Assign another agent, and retry the step.`, options)
    this.agent = agent
  }
}

/** Several plans or steps have an id that begins like this. */
export class AmbiguousIdError extends HarnessError {
  override readonly name = 'AmbiguousIdError'
  readonly code = 'AMBIGUOUS_ID'
  readonly words: string
  readonly ids: readonly string[]
  constructor(words: string, ids: readonly string[]) {
    super(
      `"${words}" fits ${ids.length} plans or steps: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}. Give more characters of the id.`,
    )
    this.words = words
    this.ids = ids
  }
}
