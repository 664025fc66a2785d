/**
 * One thing that a durable function asked for: a step, a sleep, a question … and how it ended. The entries of a run, in the order of
 * their log positions, are its journal. After a crash the function runs again from the beginning, and gets what the journal says.
 */
import { answerSchema, questionSchema } from '@agentm/agent-loop/internal'
import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'
import { entryName, planName, stepName } from '../pure/concept-names.ts'

/** What a function can ask for. `cancel` is the one that comes from outside. */
export const entryOps = ['step', 'sleep', 'ask', 'signal', 'call', 'emit', 'show', 'patch', 'cancel'] as const

export type EntryOp = (typeof entryOps)[number]

export const entrySchema = z.object({
  ownerUserId: z.string().min(1),
  planId: z.string().min(1),
  stepId: z.string().min(1),
  /** The how-manieth thing the function asked for, from 0; -1 for a cancellation. */
  position: z.number().int().min(-1),
  op: z.enum(entryOps),
  name: z.string(),
  /**
   * `asking`: its question can be answered. `answered`: it was, and the function has not been given the answer. `withdrawn`: the function
   * went on without an answer.
   */
  status: z.enum(['running', 'waiting', 'asking', 'answered', 'withdrawn', 'done', 'failed']),
  /** What the function gets: the result of the step, the answer, the value of the signal. */
  value: z.unknown().optional(),
  /** A failed entry with `retryAt` is tried again at that time. Without it, the failure is final. */
  failure: z.object({ message: z.string(), code: z.string().optional() }).optional(),
  failures: z.number().int().min(0).optional(),
  retryAt: z.number().optional(),
  /** What a person is asked: by the function, or about an effectful step whose worker was lost. */
  question: questionSchema.optional(),
  answer: answerSchema.optional(),
  /** When a sleep, a question or a wait for a signal ends by itself. */
  until: z.number().optional(),
  /** The number of the message that a signal took. */
  message: z.number().int().min(1).optional(),
  /** The plan that a call waits for. */
  childPlanId: z.string().optional(),
  /** What a call waits for: another function, or a plan, whose goal is then its name. */
  calls: z.enum(['function', 'plan']).optional(),
  /** Set before an effectful step begins. If the worker is lost after that, the outcome is unknown. */
  intentAt: z.number().optional(),
  /** When the last attempt of a step began, or a wait. */
  startedAt: z.number().optional(),
  /** When another run was given it. This run was given it by a fork, and does not take it back. */
  carriedAt: z.number().optional(),
  /** What a long step said last about its progress. */
  details: z.unknown().optional(),
})

/** The content of an entry. */
export type Entry = z.infer<typeof entrySchema>

export const entry = defineConcept({
  name: entryName,
  schema: entrySchema,
  // What a function was given once, it is given on every later pass.
  guard: ({ prior }) =>
    prior !== undefined && isSettled(prior) ? 'it has ended, and what it gave is final' : undefined,
  relations: [
    { field: 'stepId', to: stepName, kind: 'parent', mustExist: true },
    { field: 'planId', to: planName, kind: 'interactsWith' },
  ],
  // A function that gets a value in which parts were masked would go another way than before.
  verbatim: ['value', 'details', 'answer'],
})

/** Whether the function has been given the result, or will be. */
export function isSettled({ status, retryAt }: Pick<Entry, 'status' | 'retryAt'>): boolean {
  return status === 'done' || (status === 'failed' && retryAt === undefined)
}

/** Whether its question waits for an answer, or has one that the function was not given yet. */
export function isQuestionOpen({ status }: Pick<Entry, 'status'>): boolean {
  return status === 'asking' || status === 'answered'
}
