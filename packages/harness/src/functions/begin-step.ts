/**
 * The step whose code is being called right now, up to its first `await`. The code of a step must ask its function for nothing: what it
 * asks for would be recorded in an order that no later pass repeats. Later calls are not noticed, because following them through every
 * `await` would slow down each promise of the process.
 */
import { RunInsideStepError } from './function-errors.ts'

let begun: string | undefined

export function beginStep<T>(name: string, work: () => T): T {
  const outer = begun
  begun = name
  try {
    return work()
  } finally {
    begun = outer
  }
}

/** Throws if the code of a step asks for something. */
export function checkOutsideStep(op: string, name = ''): void {
  if (begun !== undefined) throw new RunInsideStepError(begun, { op, name })
}
