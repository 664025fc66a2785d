/**
 * What one reply of a model added to a conversation, and where the loop stood after it. Kept beside the effects of a step, so
 * that a step whose worker is gone goes on where it was and no reply is paid for twice.
 */
import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'

const object = z.record(z.string(), z.unknown())

export const turnSchema = z.object({
  ownerUserId: z.string().min(1),
  planId: z.string().min(1),
  stepId: z.string().min(1),
  /** Of the step when it was written: what tells a lost run, which goes on, from a new try, which begins anew. */
  attempt: z.number().int().min(0),
  failures: z.number().int().min(0),
  crashes: z.number().int().min(0),
  /** Of what the model was told at the start; another task is another conversation. */
  opening: z.string().min(1),
  /** So many messages of the turns before stand; 0 begins a conversation. */
  keeps: z.number().int().min(0),
  messages: z.array(object),
  /** The rest of the loop's checkpoint. */
  state: object,
})

export type Turn = z.infer<typeof turnSchema>

export const turn = defineConcept({
  name: 'v1:harness:turn',
  schema: turnSchema,
  relations: [{ field: 'stepId', to: 'v1:harness:step', kind: 'parent', mustExist: true }],
})
