import type { z } from 'zod'
import type { Step } from '../step.ts'
import type { StepOutcome } from '../step-kind.ts'

/** The input of a step, checked by the schema of its kind; or a failed outcome if the input does not fit. */
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
