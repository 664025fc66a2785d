import type { PlansReader } from '@agentm/workspace/reader'
import type { ComparedPlan, ComparedRun, ComparePage } from '../contract/compare.ts'
import { short } from '../pure/short.ts'

type Comparison = Awaited<ReturnType<PlansReader['harness']['compare']>>

/** Two plans side by side, with short ids. */
export async function comparePage({ harness }: PlansReader, a: string, b: string): Promise<ComparePage> {
  const found: Comparison = await harness.compare(a, b)
  return {
    ...found,
    a: planOf(found.a),
    b: planOf(found.b),
    steps: found.steps.map(({ a: one, b: other, ...step }) => ({
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
