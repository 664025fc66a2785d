/**
 * Makes a kind of step from one function. Schemas check and type its input and output. If the function throws, the step fails and
 * is retried by its retry policy. Input or output that a schema refuses is not retried, because the schema would refuse it again.
 */
import type { NewStep } from '../new-plan.ts'
import type { StepHead } from '../harness-context.ts'
import { problemsIn, type StandardSchema } from '../standard-schema.ts'
import type { Dependency, Nature, StepKind, StepRun } from '../step-kind.ts'

type Fields = Readonly<Record<string, unknown>>

export interface StepShape<Input extends Fields, Output extends Fields> {
  readonly input: StandardSchema<Input>
  readonly output: StandardSchema<Output>
  /** What happens if the step runs twice (default: `idempotent`). */
  readonly nature?: Nature
}

export interface DefinedStep<Input extends Fields, Output extends Fields> extends StepKind {
  /** A step of this kind, for `createPlan`. */
  step(step: Omit<NewStep, 'kind' | 'input'> & { readonly input: Input }): NewStep
  /** The result of a step of this kind; `undefined` before it is done. Throws if the result does not match the output schema. */
  resultOf(step: Pick<StepHead, 'payload'> | Dependency): Promise<Output | undefined>
}

/** The input or result of a step does not match the schema of its kind. */
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
