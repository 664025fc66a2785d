import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'

/** How far consolidation has read the episodes of one owner; its id is made from the owner. */
export const consolidationCursor = defineConcept({
  name: 'v1:harness:consolidationCursor',
  schema: z.object({
    ownerUserId: z.string().min(1),
    /** Everything up to this sequence number is consolidated, without exception. */
    afterSequence: z.number().int().min(0).default(0),
    /** Its time, for people. */
    watermark: z.iso.datetime(),
    lastRunAt: z.iso.datetime().optional(),
    episodesSeen: z.number().int().min(0).default(0),
    provenanceMutation: z.string().optional(),

    /** Everything up to here was read, and consolidated except for `held` (default: equal to `afterSequence`). */
    readTo: z.number().int().min(0).optional(),
    /** Episodes whose turn failed; they are read again first. */
    held: z.array(z.string()).optional(),
    /** What learning has cost so far: a model's questions, tokens, and millionths of a dollar. */
    spent: z.object({ questions: z.number(), tokens: z.number(), costMicros: z.number() }).optional(),
    /** The run at work. Its version of this node fences everything it writes. */
    session: z.string().optional(),
    /** The scheduled time of the last run, in epoch milliseconds, and the schedule at that time. */
    scheduledFor: z.number().optional(),
    schedule: z.string().optional(),
  }),
})
