/** What one check found. */
export interface HealthRow {
  /** What was checked: `storage`, `plans`, `model`. */
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  /** What was found, without what helps. */
  readonly text: string
  /** What helps, the best first. */
  readonly help?: readonly Help[]
}

/** A command that helps, as `agentm …`. */
export interface Help {
  /** What it is for, such as `To retry it`. */
  readonly to: string
  readonly command: string
}
