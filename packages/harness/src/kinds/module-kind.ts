/** A step that calls a function of a JavaScript module. The user's configuration decides which modules are allowed. */
import { z } from 'zod'
import type { StepKind, StepOutcome, StepRun } from '../step-kind.ts'
import { parseInput } from './parse-input.ts'

/** Returns an object (the result), an outcome, or nothing. */
export type StepFunction = (run: StepRun, args: Readonly<Record<string, unknown>>) => unknown

export interface ModuleKindOptions {
  /** Loads an allowed module by the name that steps use; throws for any other name. */
  readonly load: (name: string) => Promise<Readonly<Record<string, unknown>>>
}

export const moduleInput = z.object({
  module: z.string().min(1).describe('The JavaScript module. The setting harness.modules has to allow it.'),
  export: z.string().min(1).default('default').describe('The name of the function that the module exports.'),
  args: z.record(z.string(), z.unknown()).default({}).describe('What the function gets.'),
})

/**
 * Steps of kind `module`: they call a function of a JavaScript module. `load` decides which modules are allowed.
 *
 * @example
 * ```ts
 * import { moduleKind } from '@agentm/harness'
 *
 * console.log(moduleKind({ load: async (name) => import(name) }).name) // module
 * ```
 */
export function moduleKind({ load }: ModuleKindOptions): StepKind {
  return {
    name: 'module',
    async run(run) {
      const parsed = parseInput(moduleInput, run.step.input)
      if ('refused' in parsed) return parsed.refused
      const { module, export: name, args } = parsed.input
      const found = (await load(module))[name]
      if (!isStepFunction(found))
        return { end: 'failed', failure: { message: `${module} exports no function ${name}`, retryable: false } }
      return outcomeOf(await found(run, args))
    },
  }
}

function isStepFunction(value: unknown): value is StepFunction {
  return typeof value === 'function'
}

const ends: readonly unknown[] = ['done', 'failed', 'asks', 'waits']

function outcomeOf(answer: unknown): StepOutcome {
  if (answer === undefined || answer === null) return { end: 'done' }
  if (isRecord(answer)) return isOutcome(answer) ? answer : { end: 'done', result: answer }
  return { end: 'done', result: { value: answer } }
}

function isOutcome(answer: object): answer is StepOutcome {
  return 'end' in answer && ends.includes(answer.end)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
