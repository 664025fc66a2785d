/** A plan file has mistakes. Every line of the message begins with file, line and column. */
export class PlanFileError extends Error {
  override readonly name = 'PlanFileError'
  readonly code = 'PLAN_FILE'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(
      `the plan file has mistakes, so no plan was created. Correct these lines:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}
