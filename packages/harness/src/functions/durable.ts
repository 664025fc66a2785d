/**
 * Makes a durable function of an async function: what it asks `run` for is recorded in the log, and after a crash it goes on from there,
 * on any worker that has its code.
 */
import type { NewStep } from '../new-plan.ts'
import { problemsIn, type StandardSchema } from '../standard-schema.ts'
import type { StepKind } from '../step-kind.ts'
import { functionKindName, functionStepKey } from './pure/function-kind-name.ts'
import type { Run } from './run.ts'
import { runFunction } from './run-function.ts'

type Fields = Readonly<Record<string, unknown>>

/** The schemas of a function, and its version. */
export interface FunctionShape<I extends Fields, O> {
  readonly input: StandardSchema<I>
  /** Checks what the function returns (default: nothing is checked). */
  readonly output?: StandardSchema<O>
  /** Raise it when the code changes. Runs that began with another version stay with the code of that version (default: 1). */
  readonly version?: number
  /** How many workers in a row a run may lose without coming any further; after that it is dead-lettered (default: 5). */
  readonly maxCrashes?: number
}

/** A durable function. It is a step kind: pass it to `startWorker`, and start it with `harness.start`. */
export interface DurableFunction<I extends Fields = Fields, O = unknown> extends StepKind {
  readonly functionName: string
  readonly version: number
  readonly shape: FunctionShape<I, O>
  readonly body: (run: Run, input: I) => Promise<O>
  /** The one step of a plan that runs it, for `createPlan` and for schedules. */
  step(input: I): NewStep
  /** The same function with other code, such as code that observes its own. */
  withBody(body: (run: Run, input: I) => Promise<O>): DurableFunction<I, O>
}

/**
 * Defines a durable function.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { durable, harnessConcepts, openHarness, startWorker } from '@agentm/harness'
 * import { z } from 'zod'
 *
 * const greet = durable('greet', { input: z.object({ name: z.string() }) }, async (run, { name }) => {
 *   const greeting = await run.step('write', () => `Hello, ${name}`)
 *   await run.sleep('10 ms')
 *   return greeting
 * })
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const worker = await startWorker({ store, owners: ['ada'], kinds: [greet] })
 * const harness = openHarness({ store, owner: 'ada', actor: 'docs' })
 * const handle = await harness.start(greet, { name: 'Ada' })
 * console.log(await handle.result()) // Hello, Ada
 * await worker.stop()
 * ```
 */
export function durable<I extends Fields, O>(
  name: string,
  shape: FunctionShape<I, O>,
  body: (run: Run, input: I) => Promise<O>,
): DurableFunction<I, O> {
  const { version = 1, maxCrashes } = shape
  if (name.trim() === '' || name.includes('@'))
    throw new TypeError(`a function is named like "release", not ${JSON.stringify(name)}`)
  if (!Number.isInteger(version) || version < 1)
    throw new TypeError(`the version of ${name} must be a whole number from 1 on, not ${version}`)
  const kind = functionKindName({ name, version })
  const made: DurableFunction<I, O> = {
    name: kind,
    functionName: name,
    version,
    shape,
    body,
    natureOf: () => 'idempotent',
    step: (input) => ({
      key: functionStepKey,
      title: name,
      kind,
      input: { ...input },
      ...(maxCrashes !== undefined && { retry: { maxCrashes } }),
    }),
    withBody: (other) => durable(name, shape, other),
    run: async (stepRun) => runFunction(made, stepRun),
  }
  return made
}

/** The input or the result of a function, checked. */
export async function checkedBy<T>(schema: StandardSchema<T>, value: unknown, what: string): Promise<T> {
  const validated = await schema['~standard'].validate(value)
  if (validated.issues === undefined) return validated.value
  throw new TypeError(`${what} does not fit: ${problemsIn(validated.issues)}`)
}
