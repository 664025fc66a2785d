/** The three facts that every question takes, all optional. */
import path from 'node:path'

/** The directory of a caller, its phase of work, and its plan. All are optional. */
export interface SeamContext {
  /** The checkout; the working directory of this process where it is absent. */
  readonly cwd?: string
  /** What is being done: setup, plan, work, review, release, bugfix or documenter. */
  readonly phase?: string
  /** A named plan; `''` is the plan without a name. */
  readonly plan?: string
}

export function directoryOf(context: SeamContext | null | undefined): string {
  const cwd: unknown = context !== null && context !== undefined && 'cwd' in context ? context.cwd : process.cwd()
  if (typeof cwd !== 'string') throw new TypeError('context.cwd is a directory, or left out')
  return path.resolve(cwd)
}
