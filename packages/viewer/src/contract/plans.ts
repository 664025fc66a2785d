/** What the server and the page of plans say to each other. */

export interface PlanRow {
  readonly id: string
  readonly goal: string
  readonly status: string
  readonly paused: boolean
  readonly project: string
  /** The number of steps in each status. */
  readonly steps: Readonly<Record<string, number>>
  /** When it last changed. */
  readonly changedAt: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly errorMessage?: string
}

/** Plans, the last changed first. */
export interface PlanList {
  readonly plans: readonly PlanRow[]
  /** Present if there are older ones. */
  readonly cursor?: string
  /** False if no log was ever written here. */
  readonly hasLog: boolean
  readonly now: number
}

/** A question that waits for a person. */
export interface Ask {
  readonly planId: string
  readonly stepId: string
  readonly title: string
  readonly questionId: string
  readonly text: string
  readonly allowed?: readonly string[]
  readonly since: number
  readonly deadline?: number
  readonly about?: unknown
}

export interface AskList {
  readonly asks: readonly Ask[]
}

/**
 * What a step did in a span of time. It waited for earlier steps (`pending`), for a worker (`ready`), for something else (`blocked`) or for its
 * next attempt (`backoff`); or it ran, and the attempt is still running, ended well, failed, was lost with its worker, or stopped to wait.
 */
export type SegmentState =
  | 'pending'
  | 'ready'
  | 'blocked'
  | 'backoff'
  | 'running'
  | 'ran-done'
  | 'ran-failed'
  | 'ran-lost'
  | 'ran-paused'

/** `to` is null while it lasts. */
export type Segment = readonly [state: SegmentState, from: number, to: number | null, attempt: number]

export interface StepRow {
  readonly id: string
  readonly title: string
  readonly kind: string
  readonly status: string
  readonly attempt: number
  readonly dependsOn: readonly string[]
  readonly segments: readonly Segment[]
  readonly agent?: string
  /** What a blocked step waits for, such as `answer`. */
  readonly waitsFor?: string
  readonly errorMessage?: string
  readonly deadLetter?: true
  readonly erased?: true
  /** The step of another plan that did its work. */
  readonly carriedFrom?: { readonly planId: string; readonly stepId: string }
}

export interface PlanFacts {
  readonly id: string
  readonly goal: string
  readonly status: string
  readonly paused: boolean
  readonly project: string
  readonly createdAt: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly errorMessage?: string
  readonly input?: unknown
  readonly result?: unknown
  readonly budget: Readonly<Record<string, number>>
  /** The budget that is used up, if one is. */
  readonly halting?: string
  /** The plan whose step started this one. */
  readonly parentPlanId?: string
  readonly parentStepId?: string
  /** The earlier plan for the same goal. */
  readonly follows?: string
  /** The plan that this one runs again, and how many of its steps were carried over. */
  readonly forkedFrom?: string
  readonly carried?: number
  /** Who made the last change by hand, and why. */
  readonly actor?: string
  readonly reason?: string
  readonly erased?: true
}

/** A plan with its steps; after a position of the log, only those that changed since. */
export interface PlanPage {
  readonly plan: PlanFacts
  readonly steps: readonly StepRow[]
  /** Ask with this position for what changed after it. */
  readonly position: number
  readonly isWhole: boolean
  readonly now: number
}

/** What a plan used, and the number of workers that are alive. */
export interface PlanStandingNow {
  readonly usage: Readonly<Record<'steps' | 'toolCalls' | 'tokens' | 'costMicros' | 'wallClockMs', number>>
  readonly workers: number
}

/** What an unfinished step waits for. */
export interface StepWait {
  readonly for:
    | 'steps'
    | 'worker'
    | 'resume'
    | 'run'
    | 'lost'
    | 'answer'
    | 'plan'
    | 'time'
    | 'rate-limit'
    | 'signal'
    | 'code'
    | 'retry'
  readonly since: number
  readonly until?: number
  /** The number of earlier steps that are not done. */
  readonly count?: number
  /** Who runs it, what a server said, or the key of its limit. */
  readonly text?: string
}

/** One version of a step. */
export interface StepChange {
  readonly at: number
  readonly status: string
  readonly mutation: string
  readonly by: string
  readonly attempt: number
  readonly session?: string
  readonly message?: string
  readonly actor?: string
  readonly reason?: string
}

/** What was observed while a step ran: a tool call, an error, a note, a decision. */
export interface Observation {
  readonly at: number
  readonly kind: string
  readonly content: string
  readonly toolName?: string
  readonly args?: unknown
  readonly result?: unknown
  readonly tokens: number
  readonly costMicros: number
  readonly toolCalls: number
}

export interface StepPage {
  readonly row: StepRow
  readonly planId: string
  readonly goal: string
  readonly input?: unknown
  readonly result?: unknown
  readonly answers: readonly { readonly value: string; readonly actor?: string; readonly reason?: string }[]
  readonly failure?: { readonly cause: string; readonly message: string; readonly retryable?: boolean }
  /** Absent once the step has ended. */
  readonly waits?: StepWait
  readonly limits: Readonly<Record<string, unknown>>
  readonly changes: readonly StepChange[]
  readonly observations: readonly Observation[]
  /** Observations that are older than those shown. */
  readonly olderObservations: boolean
  /** The machine and process of each worker session that is still known. */
  readonly workers: Readonly<Record<string, string>>
  readonly asks: readonly Ask[]
  readonly now: number
}

/** What a person may do. Each is refused unless the viewer was started with `--write`. */
export type PlanChange =
  | { readonly do: 'pause' | 'resume' | 'cancel' | 'retry'; readonly planId: string; readonly reason?: string }
  | { readonly do: 'retry-step' | 'skip'; readonly stepId: string; readonly reason?: string }
  | {
      readonly do: 'answer'
      readonly stepId: string
      readonly questionId: string
      readonly value: string
      readonly reason?: string
    }
  | {
      /** Runs the plan of a step again from that step, or the plan from its beginning. The values are texts, JSON where the input is no text. */
      readonly do: 'fork'
      readonly planId: string
      /** The id of the new plan. */
      readonly id: string
      readonly stepId?: string
      readonly input: Readonly<Record<string, string>>
      readonly stepInput: Readonly<Record<string, string>>
      readonly reason?: string
    }
