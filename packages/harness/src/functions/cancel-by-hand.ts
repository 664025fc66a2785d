/** A person cancels a plan. A function is asked to cancel itself first, so that its `finally` blocks and its undo steps run. */
import { asStep, type HarnessContext, readPlan } from '../harness-context.ts'
import { stepIdIn } from '../pure/step-id-in.ts'
import { cancelPlan, type Reason } from '../plan-control.ts'
import { isPlanOver, type PlanStatus } from '../pure/plan-transitions.ts'
import { functionStepKey } from './pure/function-kind-name.ts'
import { send } from './function-handle.ts'
import { mailboxIdOf } from './mailbox.ts'
import { isFunctionKind } from './pure/function-kind-name.ts'

/** The status of the plan afterwards. A function that was asked is still running; asked a second time, it is ended at once. */
export async function cancelByHand(context: HarnessContext, planId: string, by: Reason = {}): Promise<PlanStatus> {
  const { id, payload } = await readPlan(context, planId)
  if (isPlanOver(payload.status)) return payload.status
  const stepId = stepIdIn(id, functionStepKey)
  if (payload.status !== 'running' || !(await mayBeAsked(context, stepId))) return cancelPlan(context, id, by)
  await send(context, { planId: id, stepId }, { say: 'cancel', name: by.reason ?? '' })
  return payload.status
}

async function mayBeAsked({ store, owner }: HarnessContext, stepId: string): Promise<boolean> {
  const step = await store.log.latest(stepId, { owner })
  if (step === undefined || step.redacted || !isFunctionKind(asStep(step).payload.kind)) return false
  const messages = await store.log.history(mailboxIdOf(stepId), { owner })
  return messages.every(({ payload }) => payload['say'] !== 'cancel')
}
