import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'
import { beliefReading } from './node-readings.ts'

/** A belief: a statement learned from episodes and kept as long as it is confirmed. */
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

    /** The confidence at the last confirmation. Decay is always computed from it, so repeated decay does not compound. */
    baseConfidence: z.number().min(0).max(1).optional(),
    /** `operator`: a person wrote the text, and only a person can change it. */
    provenance: z.enum(['distilled', 'operator']).optional(),
    formedAt: z.iso.datetime().optional(),
    /** The time of the newest episode that supports it. */
    evidenceAt: z.iso.datetime().optional(),
    /**
     * `operator`: a person deleted it, so it is not learned again. `agent`: a tool deleted it, so it can be learned again from new
     * episodes. `accepted`: a person made a note of it, which says it from now on.
     */
    prunedBy: z.enum(['decay', 'operator', 'superseded', 'agent', 'accepted']).optional(),
    /** The belief that this one replaced, and the one that replaced it. */
    supersedes: z.string().optional(),
    supersededBy: z.string().optional(),
    /** Its earlier texts, before a person edited it. They are not learned again. */
    editedFrom: z.array(z.string()).optional(),

    /** `sessions`: it was learned from agent sessions. Until a person accepts it, it is shown only as unconfirmed. */
    origin: z.enum(['sessions']).optional(),
    /** What kind of thing was learned from agent sessions. */
    lesson: z.enum(['correction', 'convention', 'command', 'fix', 'decision', 'place']).optional(),
    /** What a lesson is about. A newer one about the same replaces it. */
    subject: z.string().optional(),
    /** When a person accepted it, and the key of the note that it became. */
    confirmedAt: z.iso.datetime().optional(),
    note: z.string().optional(),
  }),
  relations: [
    {
      field: 'sourceEpisodes',
      to: ['v1:harness:observation', 'v1:harness:step', 'v1:harness:plan', 'v1:sessions:turn'],
      kind: 'formedFrom',
    },
  ],
})
