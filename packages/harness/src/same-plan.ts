/** Whether a plan or step that is there is the one that somebody wants to create. */
import { redactFields, redactSecrets, scanAll } from '@agentm/nodes'
import { isDeepStrictEqual } from 'node:util'
import { asStep, type HarnessContext, readPlan } from './harness-context.ts'
import { IdempotencyConflictError } from './harness-errors.ts'
import type { NewPlan } from './new-plan.ts'
import { contentIn, wholeSteps } from './plan-content.ts'
import { step as stepConcept, type Step } from './step.ts'

export async function checkSame(
  context: HarnessContext,
  planId: string,
  request: NewPlan,
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  const plan = await readPlan(context, planId)
  const { goal, input, budget } = plan.payload
  if (goal !== redactSecrets(request.goal) || !isDeepStrictEqual([input, budget], [request.input, request.budget]))
    throw new IdempotencyConflictError(planId)
  const { store, owner } = context
  const known = new Map(
    (await scanAll(store.log, { owner, parent: planId, concepts: [stepConcept.name] })).map((head) => [
      head.id,
      asStep(head),
    ]),
  )
  for (const step of wholeSteps(request)) {
    const payload = known.get(ids[step.key] ?? '')?.payload
    if (payload === undefined || !isSameStep(payload, contentIn(planId, step, ids)))
      throw new IdempotencyConflictError(planId)
  }
}

/** Compares in the stored form, because secrets are masked before they are stored. */
export function isSameStep(known: Step, content: Readonly<Record<string, unknown>>): boolean {
  // The key is part of the id. Steps that older versions wrote do not repeat it.
  const { key: _key, ...compared } = redactFields({ ...content }, stepConcept.verbatim)
  return Object.entries(compared).every(([field, value]) => isSame(known[field as keyof Step], value))
}

/** The stored value may have more fields, because the schema adds its defaults. */
function isSame(known: unknown, given: unknown): boolean {
  if (given === undefined || isDeepStrictEqual(known, given)) return true
  return isRecord(known) && isRecord(given) && isDeepStrictEqual({ ...known, ...given }, known)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
