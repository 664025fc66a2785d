/**
 * The check of a plan, as that of a step: claims, budgets, retries and traces then apply to it without further rules. In a plan of
 * one step it is that step's check, so that an agent gets to read what it said. In any other plan it is a last step.
 */
import type { NewPlan, NewStep } from '../../new-plan.ts'
import { checkKindName } from './check-kind-name.ts'

export function withPlanCheck({ check, steps }: Pick<NewPlan, 'check' | 'steps'>): readonly NewStep[] {
  const [only] = steps
  if (check === undefined || only === undefined) return steps
  if (steps.length === 1 && only.check === undefined) return [{ ...only, check }]
  const last: NewStep = {
    key: freeKey(steps.map(({ key }) => key)),
    title: 'Check the plan',
    kind: checkKindName,
    dependsOn: steps.map(({ key }) => key),
    check,
  }
  return [...steps, last]
}

/** What is wrong with the check of a plan; `undefined` if nothing is. */
export function planCheckProblem({ check, steps }: Pick<NewPlan, 'check' | 'steps'>): string | undefined {
  if (check?.protect === undefined || check.protected !== undefined) return undefined
  if (steps.length === 1 && steps[0]?.check === undefined) return undefined
  return 'its check protects files, and does not say how they were before the first step. Give them as protected, from protectedFiles(directory, patterns), or protect them in the checks of its steps'
}

function freeKey(keys: readonly string[]): string {
  for (let n = 1; ; n++) {
    const key = n === 1 ? 'check' : `check-${n}`
    if (!keys.includes(key)) return key
  }
}
