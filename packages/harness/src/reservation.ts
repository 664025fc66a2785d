/**
 * What a running step sets aside of its plan's budget before a call, so that steps side by side, in whatever process, cannot
 * spend the same. It counts as long as the step has the version of the claim. The reservation of a dead worker ends with the next
 * version of the step, so no clean-up is needed.
 */
import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'
import { planName, reservationName, stepName } from './pure/concept-names.ts'

const spendSchema = z.object({
  tokens: z.number().min(0),
  toolCalls: z.number().min(0),
  costMicros: z.number().min(0),
})

export const reservationSchema = z.object({
  ownerUserId: z.string().min(1),
  planId: z.string().min(1),
  stepId: z.string().min(1),
  /** One call at a time: a step that makes several at once has several. */
  lane: z.string().min(1),
  /** The version the claim made of the step. */
  fence: z.number().int().min(1),
  /** `spent` is what a call took and no observation has told yet; it counts whoever runs the step. */
  status: z.enum(['held', 'spent', 'over']),
  amount: spendSchema,
})

export type Reservation = z.infer<typeof reservationSchema>

export const reservation = defineConcept({
  name: reservationName,
  schema: reservationSchema,
  relations: [
    { field: 'stepId', to: stepName, kind: 'parent', mustExist: true },
    { field: 'planId', to: planName, kind: 'interactsWith', indexed: true },
  ],
})
