import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'

/** How far consolidation has read the episodes of one owner; its id is made from the owner. */
export const consolidationCursor = defineConcept({
  name: 'v1:harness:consolidationCursor',
  schema: z.object({
    ownerUserId: z.string().min(1),
    /** Sequence number of the newest episode that was consolidated; what decides. */
    afterSequence: z.number().int().min(0).default(0),
    /** Its time, for people. */
    watermark: z.iso.datetime(),
    lastRunAt: z.iso.datetime().optional(),
    episodesSeen: z.number().int().min(0).default(0),
    provenanceMutation: z.string().optional(),
  }),
})
