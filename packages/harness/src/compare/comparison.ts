/** Two plans side by side: what each of their steps gave, how long it took, what it cost, and where they differ. */
import type { Difference } from './pure/diff-values.ts'

/** What one plan, or one step of it, used. The plans that it started are included. */
export interface ComparedUsage {
  readonly toolCalls: number
  readonly tokens: number
  readonly costMicros: number
}

/** One of the two plans. */
export interface ComparedPlan extends ComparedUsage {
  readonly planId: string
  readonly goal: string
  readonly status: string
  readonly createdAt: number
  /** From the first start to the end, or until now. */
  readonly durationMs: number
  /** The number of steps in each status. */
  readonly steps: Readonly<Record<string, number>>
  /** How many steps were done in the plan that it was forked from. */
  readonly carried: number
  /** How often its steps were started, without the starts that only led to a wait. */
  readonly attempts: number
  readonly forkedFrom?: string
  readonly errorMessage?: string
}

/** A step in one of the two plans. */
export interface ComparedRun extends ComparedUsage {
  readonly stepId: string
  readonly title: string
  readonly kind: string
  readonly status: string
  readonly attempts: number
  /** How long it ran, without its waits. */
  readonly durationMs: number
  /** The plan in which its work was done. */
  readonly carriedFrom?: string
  readonly errorMessage?: string
  readonly erased?: true
}

/** A step of both plans, or of one of them. */
export interface ComparedStep {
  readonly key: string
  readonly title: string
  /** How the two were found to be the same step; absent if only one plan has it. */
  readonly matchedBy?: 'key' | 'title' | 'place'
  readonly a?: ComparedRun
  readonly b?: ComparedRun
  /** What differs, times and costs aside. */
  readonly differs: readonly ('status' | 'input' | 'output')[]
  readonly input: readonly Difference[]
  readonly output: readonly Difference[]
}

/**
 * How two plans belong together: one was forked from the other, or follows it; both come from one plan, or from one schedule; they are the
 * same plan; or they have nothing to do with each other.
 */
export type PlanRelation = 'fork' | 'follows' | 'siblings' | 'schedule' | 'same' | 'unrelated'

/** Two plans side by side. */
export interface Comparison {
  readonly relation: PlanRelation
  readonly a: ComparedPlan
  readonly b: ComparedPlan
  readonly input: readonly Difference[]
  readonly steps: readonly ComparedStep[]
}
