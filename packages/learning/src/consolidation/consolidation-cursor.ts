import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'

/** How far consolidation has read the episodes of one owner; its id is made from the owner. */
export const consolidationCursor = defineConcept({
  name: 'v1:harness:consolidationCursor',
  schema: z.object({
    ownerUserId: z.string().min(1),
    /** Every episode up to this sequence number is consolidated. */
    afterSequence: z.number().int().min(0).default(0),
    /** The time of that episode, for people. */
    watermark: z.iso.datetime(),
    lastRunAt: z.iso.datetime().optional(),
    episodesSeen: z.number().int().min(0).default(0),
    provenanceMutation: z.string().optional(),

    /** Every episode up to here was read, and consolidated unless it is in `held` (default: equal to `afterSequence`). */
    readTo: z.number().int().min(0).optional(),
    /** Episodes whose consolidation failed. They are read again first. */
    held: z.array(z.string()).optional(),
    /** What learning has cost so far: questions to a model, tokens, and millionths of a dollar. */
    spent: z.object({ questions: z.number(), tokens: z.number(), costMicros: z.number() }).optional(),
    /** The session of the current run. Everything the run writes expects the version of this node. */
    session: z.string().optional(),
    /** Every turn of agent sessions up to here was learned from. */
    turnsReadTo: z.number().int().min(0).optional(),
    /** What a model may still be asked today about agent sessions: the day, and the tokens that were used or set aside. */
    sessionTokens: z.object({ day: z.string(), tokens: z.number() }).optional(),
    /** The scheduled time of the last run, in epoch milliseconds, and the schedule at that time. */
    scheduledFor: z.number().optional(),
    schedule: z.string().optional(),
  }),
})
