import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'
import { episodeReading } from './node-readings.ts'

/** An observation: one event of a step, or of a plan as a whole. */
export const observation = defineConcept({
  ...episodeReading,
  schema: z.object({
    ownerUserId: z.string().min(1),
    /** Absent if the event belongs to the plan as a whole. */
    stepId: z.string().optional(),
    planId: z.string().optional(),
    kind: z.enum(['tool_result', 'error', 'note', 'decision']),
    /**
     * The fields depend on `kind`: `{ toolName, args, result }`, `{ message, stack? }`, `{ text }`, `{ choice, rationale,
     * alternatives? }`.
     */
    data: z.record(z.string(), z.unknown()).optional(),
    content: z.string(),
    embedding: z.array(z.number()).optional(),
  }),
  relations: [
    { field: 'stepId', to: 'v1:harness:step', kind: 'parent', indexed: true },
    { field: 'planId', to: 'v1:harness:plan', kind: 'interactsWith', indexed: true },
  ],
})
