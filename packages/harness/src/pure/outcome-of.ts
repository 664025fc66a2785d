/**
 * The outcome that a kind returned, checked. A kind written in JavaScript, or a forgotten `return`, can give any value.
 */
import { questionSchema } from '@agentm/agent-loop/internal'
import { waitSchema } from '../step.ts'
import type { StepOutcome } from '../step-kind.ts'

/** The outcome, or a message that says what is wrong with it and names the kind. */
export function outcomeOf(
  given: unknown,
  kind: string,
): { readonly outcome: StepOutcome } | { readonly wrong: string } {
  const fault = faultOf(given)
  if (fault === undefined) return { outcome: given as StepOutcome }
  return { wrong: `run() of the step kind "${kind}" must return ${shape}, and ${fault}` }
}

const shape = '{ end: "done" | "failed" | "asks" | "waits" | "cancelled", … }'

function faultOf(given: unknown): string | undefined {
  if (!isObject(given)) return `it returned ${named(given)}`
  switch (given['end']) {
    case 'done':
      return isAbsentOr(isObject, given['result'])
        ? undefined
        : `its result is ${named(given['result'])}, not an object`
    case 'failed':
      return isObject(given['failure']) && typeof given['failure']['message'] === 'string'
        ? undefined
        : 'its failure has no message'
    case 'asks':
      return questionSchema.safeParse(given['question']).success ? undefined : 'its question needs an id and a text'
    case 'waits': {
      const wait = waitSchema.safeParse(given['waitsFor'])
      if (!wait.success) return 'its waitsFor names neither a plan, nor a time, nor "resume"'
      return wait.data.for === 'answer' ? 'who waits for an answer returns { end: "asks", question }' : undefined
    }
    case 'cancelled':
      return typeof given['reason'] === 'string' ? undefined : 'it has no reason'
    default:
      return `its end is ${named(given['end'])}`
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAbsentOr(holds: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || holds(value)
}

function named(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
