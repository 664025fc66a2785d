import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'
import { beliefReading } from './node-readings.ts'

/** A belief: what was learned from episodes, kept as long as it is confirmed. */
export const semanticMemory = defineConcept({
  ...beliefReading,
  schema: z.object({
    ownerUserId: z.string().min(1),
    kind: z.enum(['fact', 'preference', 'outcome']).default('fact'),
    content: z.string().min(1),
    embedding: z.array(z.number()).optional(),
    /** Ids of the episodes it was distilled from: observations, steps, plans. */
    sourceEpisodes: z.array(z.string()),
    confidence: z.number().min(0).max(1).default(0.5),
    reinforceCount: z.number().int().min(1).default(1),
    lastReinforced: z.iso.datetime(),
    status: z.enum(['active', 'pruned']).default('active'),
    provenanceMutation: z.string().optional(),

    /** Confidence at the last confirmation; decay counts from here, so that it does not compound. */
    baseConfidence: z.number().min(0).max(1).optional(),
    /** `operator`: a person wrote its text, which nothing but a person changes. */
    provenance: z.enum(['distilled', 'operator']).optional(),
    formedAt: z.iso.datetime().optional(),
    /** Time of the newest episode behind it. */
    evidenceAt: z.iso.datetime().optional(),
    /** `operator`: a person, and it is not learned again. `agent`: a tool; what happens again is learned again. */
    prunedBy: z.enum(['decay', 'operator', 'superseded', 'agent']).optional(),
    /** The belief it took the place of, and the one that took its place. */
    supersedes: z.string().optional(),
    supersededBy: z.string().optional(),
    /** What it said before a person changed it; not to be learned again. */
    editedFrom: z.array(z.string()).optional(),
  }),
  relations: [
    {
      field: 'sourceEpisodes',
      to: ['v1:harness:observation', 'v1:harness:step', 'v1:harness:plan'],
      kind: 'formedFrom',
    },
  ],
})
