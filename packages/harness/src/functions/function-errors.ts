/** What goes wrong in a durable function, and what its caller gets. */
import { HarnessError } from '../harness-errors.ts'

/** What a function asked for: the operation, its name, and which one it was. */
export interface Asked {
  readonly position: number
  readonly op: string
  readonly name: string
}

/**
 * The code of a function does not ask for what its journal recorded. Nothing was changed. The run goes on once the code asks for the
 * same things in the same order again, or a new version of the function takes the new runs.
 */
export class NondeterminismError extends HarnessError {
  override readonly name = 'NondeterminismError'
  readonly code = 'NONDETERMINISM'
  readonly recorded: Asked
  readonly asked: Asked | undefined
  constructor(run: string, { recorded, asked }: { readonly recorded: Asked; readonly asked: Asked | undefined }) {
    const now = asked === undefined ? 'the code no longer asks for it' : `the code now asks for ${spoken(asked)}`
    super(
      `${run} stopped, because its code changed: at position ${recorded.position} it recorded ${spoken(recorded)}, and ${now}. Put the code back, guard the change with run.patched(), or give the function a new version; the run then goes on. Nothing was changed.`,
    )
    this.recorded = recorded
    this.asked = asked
  }
}

/** The code of a step used `run`. Only the code of the function itself may do so. */
export class RunInsideStepError extends HarnessError {
  override readonly name = 'RunInsideStepError'
  readonly code = 'RUN_INSIDE_STEP'
  /** The same code would do the same again. */
  readonly retryable = false
  readonly step: string
  constructor(step: string, asked: Pick<Asked, 'op' | 'name'>) {
    super(
      `the code of the step "${step}" asked run for ${spoken(asked)}. Only the function itself may use run, because its calls are repeated in the same order on every pass. Move the call out of the step.`,
    )
    this.step = step
  }
}

/** A step of a function failed permanently. The function can catch this error and go on. */
export class FunctionStepFailedError extends HarnessError {
  override readonly name = 'FunctionStepFailedError'
  readonly code = 'FUNCTION_STEP_FAILED'
  readonly step: string
  /** The code of the error that the step threw, if it had one. */
  override readonly cause: { readonly message: string; readonly code?: string | undefined }
  constructor(step: string, cause: { readonly message: string; readonly code?: string | undefined }) {
    super(`${step} failed: ${cause.message}`)
    this.step = step
    this.cause = cause
  }
}

/** The function threw. Its caller gets this error. */
export class FunctionFailedError extends HarnessError {
  override readonly name = 'FunctionFailedError'
  readonly code = 'FUNCTION_FAILED'
  readonly run: string
  constructor(run: string, message: string) {
    super(`${run} failed: ${message}`)
    this.run = run
  }
}

/** The run was cancelled. Inside the function, whatever waits throws it, so that `finally` blocks run; its caller gets it, too. */
export class FunctionCancelledError extends HarnessError {
  override readonly name = 'FunctionCancelledError'
  readonly code = 'FUNCTION_CANCELLED'
  readonly run: string
  readonly reason: string
  constructor(run: string, reason: string) {
    super(`${run} was cancelled${reason === '' ? '' : `: ${reason}`}`)
    this.run = run
    this.reason = reason
  }
}

function spoken({ op, name }: Pick<Asked, 'op' | 'name'>): string {
  return name === '' ? op : `${op} "${name}"`
}
