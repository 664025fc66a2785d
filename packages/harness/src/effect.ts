/** One call of one step that must not happen twice: its intent before the call, and its result after it. */
import { defineConcept } from '@agentm/nodes'
import { mediaPartSchema } from '@agentm/agent-loop/internal'
import { z } from 'zod'

export const effectSchema = z.object({
  ownerUserId: z.string().min(1),
  planId: z.string().min(1),
  stepId: z.string().min(1),
  /** A hash of plan, step, tool, arguments and ordinal. The id of the node is derived from it. */
  key: z.string().min(1),
  tool: z.string().min(1),
  /** The arguments as canonical JSON. */
  args: z.string(),
  ordinal: z.number().int().min(1),
  nature: z.enum(['pure', 'idempotent', 'effectful']),
  status: z.enum(['intended', 'succeeded', 'failed']),
  /** How often the call was begun. */
  intents: z.number().int().min(0),
  /** The answer of the tool. */
  text: z.string().optional(),
  /** Pictures and documents of the answer. Their bytes are kept beside the log. */
  parts: z.array(mediaPartSchema).optional(),
  message: z.string().optional(),
})

export type Effect = z.infer<typeof effectSchema>

export const effect = defineConcept({
  name: 'v1:harness:effect',
  schema: effectSchema,
  // A recorded success is final: no later write can change it.
  guard: ({ prior }) => (prior?.status === 'succeeded' ? 'it happened already, and its answer is final' : undefined),
  relations: [
    { field: 'stepId', to: 'v1:harness:step', kind: 'parent', mustExist: true },
    { field: 'planId', to: 'v1:harness:plan', kind: 'interactsWith', indexed: true },
  ],
})
