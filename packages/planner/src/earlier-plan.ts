/** The results of a plan, for the planner that replans its goal. */
import { scanAll } from '@agentm/nodes'
import { type HarnessContext, mergeKindName, type PlanHead, type Step } from '@agentm/harness'
import { asStep, stepName } from '@agentm/harness/planning'
import type { EarlierPlan } from './pure/decompose-prompt.ts'

export async function earlierPlan({ store, owner }: HarnessContext, plan: PlanHead, why: string): Promise<EarlierPlan> {
  const heads = await scanAll(store.log, { owner, parent: plan.id, concepts: [stepName] })
  const steps = heads
    .filter(({ redacted }) => !redacted)
    .map((head) => asStep(head).payload)
    .filter(({ kind }) => kind !== mergeKindName)
    // In the order in which they were started; steps that never started come last.
    .toSorted((a, b) => Date.parse(a.startedAt ?? never) - Date.parse(b.startedAt ?? never))
    .map(({ title, status, ...rest }) => {
      const outcome = outcomeOf(rest)
      return { title, status, ...(outcome !== undefined && { outcome }) }
    })
  return { status: plan.payload.status, why, steps }
}

const never = '9999-12-31T00:00:00.000Z'

function outcomeOf({ result, errorMessage }: Pick<Step, 'result' | 'errorMessage'>): string | undefined {
  if (result === undefined) return errorMessage
  return typeof result['text'] === 'string' ? result['text'] : JSON.stringify(result)
}
