import { z } from 'zod'

/** What a step asks before it continues. It belongs to one call and is answered once; the first answer counts. */
export const questionSchema = z.object({
  /** The call it is about: the same call asks under the same id, so an answer is found again after a restart. */
  id: z.string().min(1),
  text: z.string().min(1),
  /** What may be answered (default: anything). */
  allowed: z.array(z.string().min(1)).min(1).optional(),
  /** Epoch milliseconds by the store's clock. */
  deadline: z.number().optional(),
  /** The answer once the deadline has passed; without one the step fails then. */
  default: z.string().optional(),
  /** What it is about: the tool, its arguments. */
  about: z.record(z.string(), z.unknown()).optional(),
})

/** A question of an agent to a person, and what happens if no answer comes in time. */
export type Question = z.infer<typeof questionSchema>

export const answerSchema = z.object({
  value: z.string(),
  actor: z.string(),
  at: z.number(),
  reason: z.string().optional(),
})

/** What somebody answered to a question, who and when. */
export type Answer = z.infer<typeof answerSchema>
