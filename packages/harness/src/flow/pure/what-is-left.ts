/**
 * The unfinished steps of an ended plan, as a new plan. Steps that are done are left out; an agent gets their results as input.
 * The keys are the ids of the old steps.
 */
import { deriveId } from '@agentm/nodes'
import type { NewPlan, NewStep } from '../../new-plan.ts'
import type { PlanHead, StepHead } from '../../harness-context.ts'
import { planName } from '../../pure/concept-names.ts'
import { mergeKindName } from '../../trees/pure/merge-kind-name.ts'
import { flowAgain } from '../flow-fields.ts'

/** The id of that plan. It is derived from the old id, so that a second retry does not create a second plan. */
export function restId(planId: string): string {
  return deriveId(planName, planId, 'rest')
}

/**
 * The unfinished steps of an ended plan, as a new plan.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts, openHarness, whatIsLeft } from '@agentm/harness'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const harness = openHarness({ store, owner: 'ada', actor: 'docs' })
 * const { planId } = await harness.createPlan({ goal: 'x', steps: [{ key: 'a', title: 'A', kind: 'command' }] })
 * await harness.cancelPlan(planId)
 * const rest = whatIsLeft(await harness.plan(planId), await harness.steps(planId))
 * console.log(rest.steps.map(({ title }) => title)) // [ 'A' ]
 * ```
 */
export function whatIsLeft(plan: PlanHead, steps: readonly StepHead[]): NewPlan & { readonly id: string } {
  const { goal, input, inputs, budget, trees } = plan.payload
  const readable = steps.filter(({ redacted }) => !redacted)
  const byId = new Map(readable.map((step) => [step.id, step]))
  // A plan that keeps work apart gets a merge step of its own.
  const left = readable.filter(({ payload }) => payload.status !== 'done' && payload.kind !== mergeKindName)
  return {
    id: restId(plan.id),
    goal,
    input: { ...input, continues: plan.id },
    ...(inputs && { inputs }),
    ...(budget && { budget }),
    ...(trees && { trees: { ...trees, after: plan.id } }),
    steps: left.map((step) => leftStep(step, byId)),
  }
}

function leftStep({ id, payload }: StepHead, byId: ReadonlyMap<string, StepHead>): NewStep {
  const { title, kind, nature, onUnknown, input, timeoutMs, tree, check, assignedAgent, retry } = payload
  const { idempotencyKey, dependsOn } = payload
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
    ...(tree !== undefined && { tree }),
    ...(assignedAgent !== undefined && { assignedAgent }),
    ...(retry !== undefined && { retry }),
    ...(check !== undefined && { check }),
    ...flowAgain(payload),
  }
}

function given({ payload: { title, result } }: StepHead): { readonly title: string; readonly result: unknown } {
  return { title, result: result ?? {} }
}

function keyOf(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1)
}
