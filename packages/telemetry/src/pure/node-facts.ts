/** What telemetry reads of the nodes of a plan. Fields that have another type than expected count as absent. */
import type { Node } from '@agentm/nodes'

export const planConcept = 'v1:harness:plan'
export const stepConcept = 'v1:harness:step'
export const observationConcept = 'v1:harness:observation'
/** One thing that a durable function asked for. */
export const entryConcept = 'v1:harness:entry'

/** The mutation that a claim writes. */
export const claimMutation = 'startHarnessStep'
export const retryMutation = 'retryHarnessStep'

/** What ends a plan. A plan that has ended is final, so one of these is written once. */
export const endMutations: readonly string[] = ['finishHarnessPlan', 'failHarnessPlan', 'cancelHarnessPlan']

type Written = Pick<Node, 'payload'>

export interface StepFacts {
  readonly planId: string
  readonly kind: string
  readonly attempt: number
  readonly title: string
  /** The short name of the agent that it is assigned to. */
  readonly agent: string | undefined
  readonly session: string | undefined
  readonly hasRetry: boolean
  readonly deadLetter: boolean
  readonly wasStarted: boolean
  readonly failure: FailureFacts | undefined
}

export interface FailureFacts {
  readonly cause: string
  readonly code: string | undefined
  readonly message: string
}

export function stepFacts({ payload }: Written): StepFacts {
  return {
    planId: text(payload['planId']) ?? '',
    kind: text(payload['kind']) ?? 'agent',
    attempt: number(payload['attempt']) ?? 0,
    title: text(payload['title']) ?? '',
    agent: text(payload['assignedAgent'])?.split(':').at(-1),
    session: text(payload['session']),
    hasRetry: payload['retryAt'] !== undefined,
    deadLetter: payload['deadLetter'] === true,
    wasStarted: payload['startedAt'] !== undefined,
    failure: failureFacts(payload['failure']),
  }
}

export interface PlanFacts {
  readonly goal: string
  readonly startedAt: number | undefined
  readonly parentPlanId: string | undefined
  readonly parentStepId: string | undefined
  readonly follows: string | undefined
  readonly scheduleId: string | undefined
}

export function planFacts({ payload }: Written): PlanFacts {
  const startedAt = Date.parse(text(payload['startedAt']) ?? '')
  return {
    goal: text(payload['goal']) ?? '',
    startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
    parentPlanId: text(payload['parentPlanId']),
    parentStepId: text(payload['parentStepId']),
    follows: text(payload['follows']),
    scheduleId: text(payload['scheduleId']),
  }
}

/** One thing that a durable function asked for: a step, a sleep, a question … */
export interface EntryFacts {
  readonly planId: string
  /** The step that runs the function. */
  readonly stepId: string
  readonly position: number
  readonly op: string
  readonly name: string
  /** How often a step has failed so far. */
  readonly failures: number
  /** When the last attempt of a step began, or a wait. */
  readonly startedAt: number | undefined
  /** A failed step is tried again. */
  readonly hasRetry: boolean
  /** The run was given it by another run, which has reported it. */
  readonly isCarried: boolean
  readonly childPlanId: string | undefined
  /** The name of a call is the goal of a plan. */
  readonly callsPlan: boolean
  readonly failure: FailureFacts | undefined
}

export function entryFacts({ payload }: Written): EntryFacts {
  return {
    planId: text(payload['planId']) ?? '',
    stepId: text(payload['stepId']) ?? '',
    position: number(payload['position']) ?? 0,
    op: text(payload['op']) ?? '',
    name: text(payload['name']) ?? '',
    failures: number(payload['failures']) ?? 0,
    startedAt: number(payload['startedAt']),
    hasRetry: payload['retryAt'] !== undefined,
    isCarried: payload['carriedAt'] !== undefined,
    childPlanId: text(payload['childPlanId']),
    callsPlan: payload['calls'] !== 'function',
    failure: failureFacts(payload['failure']),
  }
}

/** The kinds of steps that run durable functions begin with this. */
export const functionKindPrefix = 'function:'

/** What an observation books on its plan. */
export function bookedOn({ payload }: Written): { readonly tokens: number; readonly costMicros: number } {
  const data = record(payload['data'])
  return { tokens: number(data?.['tokens']) ?? 0, costMicros: number(data?.['costMicros']) ?? 0 }
}

function failureFacts(value: unknown): FailureFacts | undefined {
  const failure = record(value)
  if (failure === undefined) return undefined
  return {
    cause: text(failure['cause']) ?? 'step',
    code: text(failure['code']),
    message: text(failure['message']) ?? '',
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
