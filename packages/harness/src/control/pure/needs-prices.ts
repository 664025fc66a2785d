/** Whether a plan, or a plan inside it, limits money and has steps for agents. */
import type { NewPlan, NewStep } from '../../new-plan.ts'
import { controlledStepSchema, kindsInside } from '../controlled-step.ts'
import { controlKindName } from './control-kind-name.ts'

type Part = Partial<Pick<NewPlan, 'budget' | 'steps'>>

/** Without steps, agents will do what is planned. */
export function needsPrices({ budget, steps }: Part): boolean {
  const hasAgents = steps === undefined || steps.some((step) => kindsInside(step).includes('agent'))
  if (budget?.maxCostMicros !== undefined && hasAgents) return true
  return (steps ?? []).some((step) => insideNeedsPrices(step))
}

function insideNeedsPrices({ kind, input }: Pick<NewStep, 'kind' | 'input'>): boolean {
  const action = kind === controlKindName ? controlledStepSchema.safeParse(input).data?.action : undefined
  return action?.do === 'plan' && needsPrices({ steps: action.steps, ...(action.budget && { budget: action.budget }) })
}
