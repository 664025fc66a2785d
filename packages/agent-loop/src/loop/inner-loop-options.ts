import type { MediaStore } from '../media/media-part.ts'
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

/** The options of `runInnerLoop`. */
export interface InnerLoopOptions {
  readonly model: Model
  readonly tools?: readonly Tool[]
  /** The system prompt. It is ignored if the loop continues `from` a checkpoint. */
  readonly messages: readonly Message[]
  /** Names of the tools it may use (default: all; an empty list allows none). */
  readonly scope?: readonly string[]
  /** Where effects are recorded, and for which step. Without it they are recorded for this run only. */
  readonly work?: { readonly plan: string; readonly step: string; readonly effects: EffectLog }
  readonly observe?: Observe
  /** Asks a person. Without it no call is approved, and an effect with an unknown outcome ends the loop. */
  readonly ask?: Ask
  /** Called after each reply and after its calls, so that a crash loses no reply of the model. */
  readonly save?: (checkpoint: Checkpoint) => Promise<void>
  readonly from?: Checkpoint
  readonly budget?: LoopBudget
  /** Where the bytes of pictures and documents are. Without it, none is sent. */
  readonly media?: Pick<MediaStore, 'read'>
  readonly window?: ContextWindow
  readonly limits?: Partial<Limits>
  /** The retry policy of tools that have none. */
  readonly retry?: Partial<CallRetry>
  readonly modelRetry?: Partial<CallRetry>
  readonly signal?: AbortSignal
  /** Gets the text piece by piece as it arrives. A reply that fails half way starts again with the next attempt. */
  readonly onText?: (piece: string, at: { readonly reply: number; readonly attempt: number }) => void
  readonly runtime?: LoopRuntime
}

/** When a loop stops, and how much of a result the model sees. */
export interface Limits extends LoopLimits {
  /** The most replies of the model (default: 120; maximum: 200). */
  readonly iterations: number
  /** The most calls of one reply that are made (default: 8; maximum: 12). The others are refused. */
  readonly callsPerReply: number
  /** The most characters of a result that the model sees. */
  readonly resultCharacters: number
  /** The most tokens of a reply. This amount is reserved for it. */
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

/** A model may need minutes, which a tool may not. */
export const defaultModelRetry: CallRetry = { ...defaultRetryPolicy, timeoutMs: 600_000 }
