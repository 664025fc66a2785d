/** A plan file that cannot become a plan. Every line of the message begins with file, line and column. */
export class PlanFileError extends Error {
  override readonly name = 'PlanFileError'
  readonly code = 'PLAN_FILE'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`nothing was planned:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
