/**
 * A kind of step from one function: what goes in and what comes out are checked by schemas, and typed by them. A function that
 * throws fails the step, which is tried again as its retry policy says; what a schema refuses is not, for it would be refused again.
 */
import type { NewStep } from '../create-plan.ts'
import type { StepHead } from '../harness-context.ts'
import { problemsIn, type StandardSchema } from '../standard-schema.ts'
import type { Dependency, Nature, StepKind, StepRun } from '../step-kind.ts'

type Fields = Readonly<Record<string, unknown>>

export interface StepShape<Input extends Fields, Output extends Fields> {
  readonly input: StandardSchema<Input>
  readonly output: StandardSchema<Output>
  /** What running it twice would do (default: `idempotent`). */
  readonly nature?: Nature
}

export interface DefinedStep<Input extends Fields, Output extends Fields> extends StepKind {
  /** A step of this kind, for `createPlan`. */
  step(step: Omit<NewStep, 'kind' | 'input'> & { readonly input: Input }): NewStep
  /** What a step of this kind answered; `undefined` before it is done. Refuses what this kind would not have answered. */
  resultOf(step: Pick<StepHead, 'payload'> | Dependency): Promise<Output | undefined>
}

/** What a step holds is not what its kind says. */
class ShapeError extends Error {
  readonly retryable = false
}

/**
 * Defines a kind of step from one function. Schemas check and type its input and output. A function that throws fails
 * the step, which is retried as its retry policy says; input that the schema refuses is not retried.
 *
 * @example
 * ```ts
 * import { defineStep } from '@agentm/harness'
 * import { z } from 'zod'
 *
 * const count = defineStep(
 *   'count',
 *   { input: z.object({ text: z.string() }), output: z.object({ words: z.number() }) },
 *   ({ text }) => ({ words: text.split(' ').length }),
 * )
 * console.log(count.name, count.step({ key: 'a', title: 'Count', input: { text: 'one two' } }).kind) // count count
 * ```
 */
export function defineStep<Input extends Fields, Output extends Fields>(
  name: string,
  { input, output, nature = 'idempotent' }: StepShape<Input, Output>,
  run: (input: Input, run: StepRun) => Promise<Output> | Output,
): DefinedStep<Input, Output> {
  return {
    name,
    natureOf: () => nature,
    async run(stepRun) {
      const given = await checked(input, stepRun.step.input ?? {}, `the input of a step of kind ${name}`)
      const answered = await run(given, stepRun)
      return { end: 'done', result: await checked(output, answered, `what a step of kind ${name} answered`) }
    },
    step: (step) => ({ ...step, kind: name }),
    async resultOf(step) {
      const result = 'payload' in step ? step.payload.result : step.result
      return result === undefined ? undefined : checked(output, result, `the result of a step of kind ${name}`)
    },
  }
}

async function checked<T>(schema: StandardSchema<T>, value: unknown, what: string): Promise<T> {
  const validated = await schema['~standard'].validate(value)
  if (validated.issues === undefined) return validated.value
  throw new ShapeError(`${what} does not fit: ${problemsIn(validated.issues)}`)
}
