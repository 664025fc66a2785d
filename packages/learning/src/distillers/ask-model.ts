/**
 * How a model is asked, as far as distilling goes: one question, one answer that fits a schema. The caller passes the function;
 * this package does not know the model.
 */
import type { z } from 'zod'
import type { DistillUsage } from './pure/spent.ts'

export interface ModelQuestion<T> {
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly text: string }[]
  readonly schema: z.ZodType<T>
  /** What the answer is, in one word. */
  readonly name: string
  readonly maxOutputTokens: number
  readonly signal: AbortSignal
  /** Called for each reply as it comes, so that what was spent is known also when a later one throws. */
  readonly onUsage: (usage: DistillUsage) => void
}

export type ModelAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

/** An answer that does not fit is an outcome; what the model itself throws is thrown. */
export type AskModel = <T>(question: ModelQuestion<T>) => Promise<ModelAnswer<T>>
