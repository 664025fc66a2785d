/**
 * Asks a model one question and gets one answer that fits a schema. The caller passes the function, so this package depends on no
 * model.
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
  /** Called for each reply as it arrives, so that its cost is recorded even if a later reply fails. */
  readonly onUsage: (usage: DistillUsage) => void
}

export type ModelAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

/** An answer that does not fit the schema is returned as an outcome. Errors of the model are thrown. */
export type AskModel = <T>(question: ModelQuestion<T>) => Promise<ModelAnswer<T>>
