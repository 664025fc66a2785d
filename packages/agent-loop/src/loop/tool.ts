/**
 * A tool that a model can call. It declares what repeating a call does, because that decides what may be done after a crash.
 */
import { z } from 'zod'
import type { MediaPart } from '../media/media-part.ts'
import type { ToolSpec } from './model.ts'
import type { CallRetry } from './pure/retry-delay.ts'

/**
 * `pure` changes nothing and is simply run again. `idempotent` may be repeated without harm. `effectful` must not be repeated
 * unless it is certain that it had no effect.
 */
export type ToolNature = 'pure' | 'idempotent' | 'effectful'

/** What a tool gets besides its input. */
export interface ToolContext {
  /** Aborts at the timeout of the attempt, or when the loop is aborted. */
  readonly signal: AbortSignal
  /** The same for the same call, even after a crash. Pass it on if the server supports idempotency keys. */
  readonly key: string
  /** Counted from 1. */
  readonly attempt: number
  /** What tools answered in this conversation so far, oldest first, in the form that the model sees. */
  readonly earlier?: readonly EarlierAnswer[]
  /** The loop that makes the call. */
  readonly loop?: LoopScope
}

/** The life of one loop, the same object for all its calls. */
export interface LoopScope {
  /** Runs when the loop ends, however it ends: ends what a tool left running. */
  onEnd(end: () => Promise<void>): void
}

/** What a call of a tool answered, if it succeeded. */
export interface EarlierAnswer {
  readonly tool: string
  readonly text: string
}

/**
 * `failed` means that the tool ran but did not succeed; it is not retried. `record` is stored in place of the text, if the text
 * belongs elsewhere and must be erasable there.
 */
export type ToolAnswer =
  | string
  | {
      readonly text: string
      readonly failed?: boolean
      readonly record?: string
      /** Pictures and documents of the answer, whose bytes are kept. */
      readonly parts?: readonly MediaPart[]
    }

/** The result of a check whether a call with an unknown outcome took effect. */
export type Verdict = { readonly happened: true; readonly text: string } | { readonly happened: false | 'unknown' }

/** A tool as the loop uses it; make one with `defineTool`. */
export interface Tool extends ToolSpec {
  readonly nature: ToolNature
  /** Repeated calls with the same result are expected. */
  readonly polling: boolean
  /** Two equal calls in one reply are two effects. Without it they are one, and the second gets the same answer. */
  readonly repeatable?: boolean
  /** A person must approve each call. */
  readonly needsApproval: boolean
  readonly retry: Partial<CallRetry>
  /** Checks the arguments and returns them in the form that `run` takes. Throws if they do not fit. */
  parse(args: unknown): unknown
  run(args: unknown, context: ToolContext): Promise<ToolAnswer>
  /** Finds out whether an effect with an unknown outcome took place. */
  verify?(args: unknown, context: ToolContext): Promise<Verdict>
  /** What the log stores in place of the arguments. */
  recordArgs?(args: unknown): unknown
}

export interface ToolDefinition<S extends z.ZodType> {
  readonly name: string
  readonly description: string
  readonly input: S
  readonly nature: ToolNature
  readonly polling?: boolean
  /** Whether two equal calls in one reply are meant as two effects (default: false; only for effectful tools). */
  readonly repeatable?: boolean
  readonly needsApproval?: boolean
  readonly retry?: Partial<CallRetry>
  run(args: z.infer<S>, context: ToolContext): Promise<ToolAnswer>
  verify?(args: z.infer<S>, context: ToolContext): Promise<Verdict>
  recordArgs?(args: z.infer<S>): unknown
}

/**
 * Defines a tool that a model may call. `nature` says what repeating a call does: `pure`, `idempotent` or `effectful`.
 *
 * @example
 * ```ts
 * import { defineTool } from '@agentm/agent-loop'
 * import { z } from 'zod'
 *
 * const charge = defineTool({
 *   name: 'charge',
 *   description: 'Charges the card.',
 *   input: z.object({ cents: z.number() }),
 *   nature: 'effectful',
 *   run: async ({ cents }, { key }) => `charged ${cents} cents under ${key}`,
 * })
 * console.log(charge.name, charge.nature) // charge effectful
 * ```
 */
export function defineTool<S extends z.ZodType>(definition: ToolDefinition<S>): Tool {
  const { name, input } = definition
  if (name.trim() === '' || name !== name.trim())
    throw new TypeError(`a tool needs a name, not ${JSON.stringify(name)}`)
  return {
    name,
    description: definition.description,
    input: z.toJSONSchema(input, { io: 'input' }),
    nature: definition.nature,
    polling: definition.polling ?? false,
    // Other calls may run at the same time, where two equal ones cannot be told apart.
    repeatable: definition.nature === 'effectful' && (definition.repeatable ?? false),
    needsApproval: definition.needsApproval ?? false,
    retry: definition.retry ?? {},
    parse: (args) => input.parse(args),
    run: async (args, context) => definition.run(args as z.infer<S>, context),
    ...(definition.verify !== undefined && {
      verify: async (args: unknown, context: ToolContext) =>
        (await definition.verify?.(args as z.infer<S>, context)) ?? { happened: 'unknown' },
    }),
    ...(definition.recordArgs !== undefined && {
      recordArgs: (args: unknown) => definition.recordArgs?.(args as z.infer<S>),
    }),
  }
}
