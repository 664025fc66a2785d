/** What a call of the model needs, and the ways it can end. */
import type { MediaPart } from '../media/media-part.ts'
import type { LoopRuntime } from './attempt-call.ts'
import type { LoopBudget } from './budget.ts'
import type { EffectCall, EffectLog } from './effect-log.ts'
import type { CallRetry } from './pure/retry-delay.ts'
import type { Question } from '../question.ts'
import type { Ask } from './ask.ts'
import type { StructuredToolError } from './tool-error.ts'
import type { EarlierAnswer, LoopScope, Tool } from './tool.ts'

export interface CallWorld {
  readonly tools: readonly Tool[]
  /** All tools. A call of one that is not in `tools` is refused as forbidden, not as unknown. */
  readonly known: readonly Tool[]
  readonly work: { readonly plan: string; readonly step: string; readonly effects: EffectLog }
  readonly retry: CallRetry
  readonly runtime: LoopRuntime
  readonly signal: AbortSignal
  readonly ask: Ask | undefined
  readonly budget: LoopBudget
  /** What tools answered in this conversation so far. */
  readonly earlier: () => readonly EarlierAnswer[]
  readonly loop: LoopScope
}

export type CallEnd =
  /** `ran` is `false` if the call was refused before it started, or answered from the log. */
  | {
      readonly end: 'answered'
      readonly text: string
      /** The text that is stored in place of the answer. */
      readonly record?: string
      readonly parts?: readonly MediaPart[]
      readonly ran: boolean
      readonly attempts: number
    }
  | { readonly end: 'failed'; readonly text: string; readonly error: StructuredToolError; readonly ran: boolean }
  | { readonly end: 'asking'; readonly question: Question }
  | { readonly end: 'in_doubt'; readonly error: StructuredToolError }
  | { readonly end: 'no_budget'; readonly limit: string }

/** A call that is ready to be made. */
export interface ReadyCall {
  readonly tool: Tool
  readonly args: unknown
  readonly call: EffectCall
}
