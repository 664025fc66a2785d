import type { LoopRuntime } from './attempt-call.ts'
import type { LoopBudget } from './budget.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { EffectLog } from './effect-log.ts'
import type { Observe } from './loop-observation.ts'
import type { Message, Model } from './model.ts'
import { defaultRetryPolicy, type CallRetry } from './pure/retry-delay.ts'
import type { ContextWindow } from './pure/trim-context.ts'
import { defaultLoopLimits, type LoopLimits } from './pure/watch-loop.ts'
import type { Ask } from './ask.ts'
import type { Tool } from './tool.ts'

/** What `runInnerLoop` works with. */
export interface InnerLoopOptions {
  readonly model: Model
  readonly tools?: readonly Tool[]
  /** The system prompt; not looked at when the loop is taken up `from` a checkpoint. */
  readonly messages: readonly Message[]
  /** Names of the tools it may use (default: all; an empty list allows none). */
  readonly scope?: readonly string[]
  /** What its effects are kept under. Without it they are kept for this run only. */
  readonly work?: { readonly plan: string; readonly step: string; readonly effects: EffectLog }
  readonly observe?: Observe
  /** Who is asked. Without it nothing is approved, and an effect in doubt ends the loop. */
  readonly ask?: Ask
  /** Told after each reply, and after its calls, so that a crash costs no reply of the model. */
  readonly save?: (checkpoint: Checkpoint) => Promise<void>
  readonly from?: Checkpoint
  readonly budget?: LoopBudget
  readonly window?: ContextWindow
  readonly limits?: Partial<Limits>
  /** Of tools that do not say. */
  readonly retry?: Partial<CallRetry>
  readonly modelRetry?: Partial<CallRetry>
  readonly signal?: AbortSignal
  /** Pieces of text as they come. A reply that failed half way begins again, as the next attempt. */
  readonly onText?: (piece: string, at: { readonly reply: number; readonly attempt: number }) => void
  readonly runtime?: LoopRuntime
}

/** When a loop stops, and how much of a result the model sees. */
export interface Limits extends LoopLimits {
  /** Replies of the model; 120, at most 200. */
  readonly iterations: number
  /** Calls of one reply that are made; 8, at most 12. The others are answered with a refusal. */
  readonly callsPerReply: number
  /** Characters of a result the model is shown. */
  readonly resultCharacters: number
  /** What a reply may take, and what is set aside for it. */
  readonly outputTokens: number
}

export const defaultLimits: Limits = {
  ...defaultLoopLimits,
  iterations: 120,
  callsPerReply: 8,
  resultCharacters: 50_000,
  outputTokens: 4096,
}

const ceilings: Partial<Limits> = { iterations: 200, callsPerReply: 12 }

/** Values of zero or less are ignored, and no value exceeds its maximum. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  const names = Object.keys(defaultLimits) as (keyof Limits)[]
  const entries = names.map((name) => {
    const wanted = Math.trunc(given[name] ?? 0)
    return [name, Math.min(wanted > 0 ? wanted : defaultLimits[name], ceilings[name] ?? Number.MAX_SAFE_INTEGER)]
  })
  return Object.fromEntries(entries)
}

/** A model may think for minutes where a tool may not. */
export const defaultModelRetry: CallRetry = { ...defaultRetryPolicy, timeoutMs: 600_000 }
