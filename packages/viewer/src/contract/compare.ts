/** What the server and the page say to each other about two plans side by side, and about running a plan again. */

/** One place where two values differ. A side that has nothing there is absent. */
export interface Difference {
  /** Such as `files[0].path`; empty for the value as a whole. */
  readonly path: string
  readonly a?: string
  readonly b?: string
}

export interface ComparedPlan {
  readonly planId: string
  readonly goal: string
  readonly status: string
  readonly createdAt: number
  readonly durationMs: number
  readonly steps: Readonly<Record<string, number>>
  readonly carried: number
  readonly attempts: number
  readonly toolCalls: number
  readonly tokens: number
  readonly costMicros: number
  readonly forkedFrom?: string
  readonly errorMessage?: string
}

export interface ComparedRun {
  readonly stepId: string
  readonly title: string
  readonly kind: string
  readonly status: string
  readonly attempts: number
  readonly durationMs: number
  readonly toolCalls: number
  readonly tokens: number
  readonly costMicros: number
  /** The plan in which its work was done. */
  readonly carriedFrom?: string
  readonly errorMessage?: string
}

export interface ComparedStep {
  readonly key: string
  readonly title: string
  readonly a?: ComparedRun
  readonly b?: ComparedRun
  readonly differs: readonly ('status' | 'input' | 'output')[]
  readonly input: readonly Difference[]
  readonly output: readonly Difference[]
}

export interface ComparePage {
  readonly relation: 'fork' | 'follows' | 'siblings' | 'schedule' | 'same' | 'unrelated'
  readonly a: ComparedPlan
  readonly b: ComparedPlan
  readonly input: readonly Difference[]
  /** Only those in which something differs, unless all were asked for. */
  readonly steps: readonly ComparedStep[]
  /** How many steps differ in nothing but time and cost. */
  readonly alike: number
}

/** An input that a fork may change, as text: JSON unless it is a text. */
export interface ForkInput {
  readonly name: string
  readonly value: string
  /** Whether the value is JSON. */
  readonly isJson: boolean
  /** Such as `string`, if the plan says so. */
  readonly type?: string
  readonly description?: string
}

/** What a person may change before a plan is run again from a step. */
export interface ForkPage {
  readonly inputs: readonly ForkInput[]
  readonly stepInputs: readonly ForkInput[]
}
