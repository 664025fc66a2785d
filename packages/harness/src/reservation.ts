/**
 * What a running step reserves of its plan's budget before a call, so that steps that run at the same time, in any process, cannot
 * spend the same budget. It counts as long as the step has the version of the claim. With the next version of the step, the reservation
 * of a dead worker for a reply becomes money that may have been spent: the provider may charge for the reply that nobody received.
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
  /** Each lane holds one call at a time; calls at the same time have several lanes. */
  lane: z.string().min(1),
  /** The version of the step after the claim. */
  fence: z.number().int().min(1),
  /**
   * `waits` is a call that is not allowed yet, because it does not fit beside those of other steps. `spent` is what a call used and no
   * observation has reported yet. It counts whoever runs the step. `lost` is what a reply may have cost that broke off.
   */
  status: z.enum(['waits', 'held', 'spent', 'lost', 'over']),
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
