/**
 * What was sent to a run of a function, one version per message: signals, answers to its questions, and the wish to cancel it. All
 * messages of a run are versions of one node, so they have one order, and its version says whether there is a new one.
 */
import { defineConcept, deriveId, type Draft } from '@agentm/nodes'
import { z } from 'zod'
import { mailboxName, planName, stepName } from '../pure/concept-names.ts'

export const mailboxSchema = z.object({
  ownerUserId: z.string().min(1),
  planId: z.string().min(1),
  stepId: z.string().min(1),
  say: z.enum(['signal', 'answer', 'cancel']),
  /** The name of the signal, the id of the question, or the reason of the cancellation. */
  name: z.string(),
  value: z.unknown().optional(),
})

export const mailbox = defineConcept({
  name: mailboxName,
  schema: mailboxSchema,
  relations: [
    { field: 'stepId', to: stepName, kind: 'parent', mustExist: true },
    { field: 'planId', to: planName, kind: 'interactsWith' },
  ],
  // A function that gets a value in which parts were masked would go another way than its sender meant.
  verbatim: ['value'],
})

/** A message to a run, and its number. */
export interface Message extends Pick<z.infer<typeof mailboxSchema>, 'say' | 'name' | 'value'> {
  readonly number: number
}

export function mailboxIdOf(stepId: string): string {
  return deriveId(mailboxName, stepId)
}

export function messageDraft(
  to: { readonly planId: string; readonly stepId: string },
  message: Omit<Message, 'number'>,
): Draft {
  return {
    concept: mailboxName,
    id: mailboxIdOf(to.stepId),
    payload: { ...to, ...message },
    unset: message.value === undefined ? ['value'] : [],
    mutation: 'sendHarnessMessage',
  }
}
