import type { z } from 'zod'
import type { Step } from '../step.ts'
import type { StepOutcome } from '../step-kind.ts'

/** A step's input as its kind needs it, or the outcome of a step that cannot be run as it was written. */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: Step['input'],
): { readonly input: z.infer<S> } | { readonly refused: StepOutcome } {
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return { input: parsed.data }
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
  return {
    refused: {
      end: 'failed',
      failure: { message: `its input does not fit: ${problems.join('; ')}`, retryable: false },
    },
  }
}
