/**
 * A command runs in the directory where the plan was created, whichever process runs it. In a plan that keeps work apart, directories
 * below that one are those of the tree.
 */
import path from 'node:path'
import type { NewPlan } from '@agentm/harness'
import { changedInside } from '@agentm/harness/control'

export function inDirectory(plan: NewPlan, here: string): NewPlan {
  const isApart = plan.trees !== undefined
  const steps = plan.steps.map((step) =>
    changedInside(step, (inner) => {
      if (inner.kind !== 'command') return inner
      const given = inner.input?.['directory']
      const directory = typeof given === 'string' ? path.resolve(here, given) : here
      const below = path.relative(here, directory)
      const isBelow = !below.startsWith('..') && !path.isAbsolute(below)
      if (isApart && isBelow) return { ...inner, input: { ...inner.input, directory: below === '' ? '.' : below } }
      return { ...inner, input: { ...inner.input, directory } }
    }),
  )
  return { ...plan, steps }
}
