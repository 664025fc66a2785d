import { z } from 'zod'

/** A question that a step asks before it continues. It belongs to one call. Only the first answer counts. */
export const questionSchema = z.object({
  /** Identifies the call. The same call asks with the same id, so the answer is found again after a restart. */
  id: z.string().min(1),
  text: z.string().min(1),
  /** What may be answered (default: anything). */
  allowed: z.array(z.string().min(1)).min(1).optional(),
  /** Epoch milliseconds by the store's clock. */
  deadline: z.number().optional(),
  /** The answer after the deadline. Without it, the step then fails. */
  default: z.string().optional(),
  /** Whether an agent may answer, too (default: only a person may). */
  mayAnswer: z.literal('anyone').optional(),
  /** The subject of the question, such as the tool and its arguments. */
  about: z.record(z.string(), z.unknown()).optional(),
})

/** A question of an agent to a person, and what happens if no answer comes in time. */
export type Question = z.infer<typeof questionSchema>

export const answerSchema = z.object({
  value: z.string(),
  actor: z.string(),
  /** An agent answered, and not a person. */
  by: z.literal('agent').optional(),
  at: z.number(),
  reason: z.string().optional(),
})

/** The answer to a question, with its author and time. */
export type Answer = z.infer<typeof answerSchema>
