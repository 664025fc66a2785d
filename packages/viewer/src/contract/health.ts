/** What the server and the page of health say to each other. */

/** What one check found, and the commands that help. */
export interface CheckRow {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
  readonly help: readonly CheckHelp[]
}

/** A command that helps, as `agentm …` or as a command of the system, and what it is for: `To retry it`. */
export interface CheckHelp {
  readonly to: string
  readonly command: string
}

export interface CheckList {
  readonly checks: readonly CheckRow[]
  /** How many statements that were learned wait for a decision. */
  readonly learned?: number
}

/** A process that runs steps, or did. */
export interface WorkerRow {
  readonly session: string
  readonly host: string
  readonly pid: string
  readonly actor: string
  readonly startedAt: number
  /** It is alive until then, and longer if it renews its lease. If it is gone, its steps are taken over then, or earlier. */
  readonly leaseUntil: number
  readonly isAlive: boolean
  /** Whether its process has ended although its lease has not. Known only of processes of this machine. */
  readonly isGone: boolean
  /** The kinds of steps that it runs; empty for a program that runs none. */
  readonly kinds: readonly string[]
  /** Whether it runs steps of this owner. */
  readonly isOurs: boolean
}

/** A count that stops at its most. */
export interface CountUpTo {
  readonly count: number
  readonly isMore: boolean
}

export interface HealthPage {
  readonly workers: readonly WorkerRow[]
  /** Absent while no log was ever written. */
  readonly log?: LogFacts
  /** Steps by what they wait for. */
  readonly steps: Readonly<Record<'ready' | 'running' | 'blocked', CountUpTo>>
  readonly deadLetters: CountUpTo
  readonly deadLetterRows: readonly DeadLetterRow[]
  readonly now: number
}

export interface DeadLetterRow {
  readonly planId: string
  readonly stepId: string
  readonly title: string
  readonly errorMessage: string
  readonly at: number
}

export interface LogFacts {
  readonly place: string
  readonly versions: number
  readonly nodes: number
  readonly texts: number
  readonly bytes: number
  /** Versions written on each of the last days by this owner’s clock, oldest first. The last one is today until now. */
  readonly days: readonly DayFacts[]
}

export interface DayFacts {
  /** The beginning of the day, epoch milliseconds. */
  readonly from: number
  readonly versions: number
}
