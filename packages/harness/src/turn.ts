/**
 * What one reply of a model added to a conversation, and the state of the loop after it. It is stored with the effects of a step,
 * so that after a crash the step continues from there and no reply is paid for twice.
 */
import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'

const object = z.record(z.string(), z.unknown())

export const turnSchema = z.object({
  ownerUserId: z.string().min(1),
  planId: z.string().min(1),
  stepId: z.string().min(1),
  /** The attempt of the step when this was written. It tells a lost run, which is continued, from a retry, which starts again. */
  attempt: z.number().int().min(0),
  failures: z.number().int().min(0),
  crashes: z.number().int().min(0),
  /** A hash of the first messages, because a different task begins a new conversation. */
  opening: z.string().min(1),
  /** How many messages of the earlier turns remain; 0 starts a conversation. */
  keeps: z.number().int().min(0),
  messages: z.array(object),
  /** The other fields of the loop's checkpoint. */
  state: object,
})

export type Turn = z.infer<typeof turnSchema>

export const turn = defineConcept({
  name: 'v1:harness:turn',
  schema: turnSchema,
  relations: [{ field: 'stepId', to: 'v1:harness:step', kind: 'parent', mustExist: true }],
})
