/** What the server needs of plans. Each verb answers with what a tool says; refusals are thrown, as those of memory are. */
export interface PlansPort {
  /** A goal, which is planned first, or the text of a plan file. */
  start(wish: PlanWish, by: string): Promise<StartedPlan>
  /** The open plans, or the newest ones if none is open. */
  list(): Promise<readonly PlanGlance[]>
  /** One plan. With `waitMs`, answers when it has ended or asks something, and after that time at the latest. */
  look(plan: string, options: { readonly waitMs: number }): Promise<PlanLook>
  /** What was done, for the model. */
  change(change: PlanChange, by: string): Promise<string>
}

export interface PlanWish {
  readonly goal?: string
  readonly file?: string
  readonly inputs?: Readonly<Record<string, unknown>>
  /** In dollars. */
  readonly maxCost?: number
}

export interface StartedPlan {
  readonly plan: string
  /** False if the goal had an open plan already. */
  readonly created: boolean
  readonly steps: number
  /** How many live workers run steps of it. */
  readonly workers: number
}

export interface PlanGlance {
  readonly plan: string
  readonly goal: string
  readonly status: string
  readonly paused: boolean
  readonly done: number
  readonly steps: number
  readonly questions: number
}

export interface PlanLook extends PlanGlance {
  readonly workers: number
  readonly asks: readonly {
    readonly step: string
    readonly title: string
    readonly text: string
    readonly allowed?: readonly string[]
    readonly mayAnswer: boolean
    /** Its id, if the step asks an older one, too. */
    readonly question?: string
  }[]
  readonly stepsNow: readonly {
    readonly step: string
    readonly title: string
    readonly status: string
    /** Its result or its error, as text. */
    readonly said?: string
  }[]
}

export interface PlanChange {
  /** A plan, or one of its steps. */
  readonly plan: string
  readonly do: 'answer' | 'pause' | 'resume' | 'cancel' | 'retry'
  readonly answer?: string
  /** One of several questions of a step (default: the oldest). */
  readonly question?: string
  readonly reason?: string
}

/** What hosts may do with plans: nothing, look, or also start and change them. */
export type PlansMode = 'off' | 'read' | 'write'
