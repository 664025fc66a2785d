import type { PlansReader } from '@agentm/workspace/reader'
import type { ComparedPlan, ComparedRun, ComparePage } from '../contract/compare.ts'
import { short } from '../pure/short.ts'

type Comparison = Awaited<ReturnType<PlansReader['harness']['compare']>>

/** Two plans side by side, with short ids. Of large plans, the steps in which nothing differs would be most of what is sent. */
export async function comparePage(
  { harness }: PlansReader,
  { a, b, all }: { readonly a: string; readonly b: string; readonly all: boolean },
): Promise<ComparePage> {
  const found: Comparison = await harness.compare(a, b)
  const different = found.steps.filter(
    (step) => step.a === undefined || step.b === undefined || step.differs.length > 0,
  )
  const steps = all ? found.steps : different
  return {
    ...found,
    a: planOf(found.a),
    b: planOf(found.b),
    alike: found.steps.length - different.length,
    steps: steps.map(({ a: one, b: other, ...step }) => ({
      ...step,
      ...(one && { a: runOf(one) }),
      ...(other && { b: runOf(other) }),
    })),
  }
}

function planOf({ planId, forkedFrom, ...plan }: Comparison['a']): ComparedPlan {
  return { ...plan, planId: short(planId), ...(forkedFrom !== undefined && { forkedFrom: short(forkedFrom) }) }
}

function runOf({ stepId, carriedFrom, ...run }: NonNullable<Comparison['steps'][number]['a']>): ComparedRun {
  return { ...run, stepId: short(stepId), ...(carriedFrom !== undefined && { carriedFrom: short(carriedFrom) }) }
}
