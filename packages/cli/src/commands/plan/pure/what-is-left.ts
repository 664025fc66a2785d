/**
 * The unfinished steps of an ended plan, as a new plan. Steps that are done are left out; an agent gets their results as input.
 * The keys are the ids of the old steps.
 */
import type { NewPlan, NewStep, PlanHead, StepHead } from '@agentm/harness'
import { deriveId } from '@agentm/nodes'

export function whatIsLeft(plan: PlanHead, steps: readonly StepHead[]): NewPlan {
  const { goal, input, budget } = plan.payload
  const readable = steps.filter(({ redacted }) => !redacted)
  const byId = new Map(readable.map((step) => [step.id, step]))
  const left = readable.filter(({ payload }) => payload.status !== 'done')
  return {
    // Derived from the old id, so that a second retry does not create a second plan.
    id: deriveId(plan.concept, plan.id, 'rest'),
    goal,
    input: { ...input, continues: plan.id },
    ...(budget && { budget }),
    steps: left.map((step) => leftStep(step, byId)),
  }
}

function leftStep({ id, payload }: StepHead, byId: ReadonlyMap<string, StepHead>): NewStep {
  const { title, kind, nature, onUnknown, input, timeoutMs, assignedAgent, retry, idempotencyKey, dependsOn } = payload
  const before = dependsOn.flatMap((other) => byId.get(other) ?? [])
  const done = before.filter((step) => step.payload.status === 'done')
  const known = (kind ?? 'agent') === 'agent' && done.length > 0 ? { before: done.map(given) } : undefined
  const whole = known === undefined ? input : { ...input, ...known }
  return {
    key: keyOf(id),
    title,
    idempotencyKey,
    dependsOn: before.filter((step) => step.payload.status !== 'done').map((step) => keyOf(step.id)),
    ...(kind !== undefined && { kind }),
    ...(nature !== undefined && { nature }),
    ...(onUnknown !== undefined && { onUnknown }),
    ...(whole !== undefined && { input: whole }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(assignedAgent !== undefined && { assignedAgent }),
    ...(retry !== undefined && { retry }),
  }
}

function given({ payload: { title, result } }: StepHead): { readonly title: string; readonly result: unknown } {
  return { title, result: result ?? {} }
}

function keyOf(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1)
}
