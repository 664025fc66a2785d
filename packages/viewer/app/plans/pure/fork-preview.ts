/** How many steps a plan that is run again from a step would carry over, and how many would run anew. */
import type { StepRow } from '../../../src/contract/plans.ts'

export function forkPreview(
  steps: ReadonlyMap<string, StepRow>,
  from: string | undefined,
): { readonly carried: number; readonly anew: number } {
  if (from === undefined) return { carried: 0, anew: steps.size }
  const dependents = new Map<string, string[]>()
  for (const { id, dependsOn } of steps.values())
    for (const other of dependsOn) {
      const known = dependents.get(other)
      if (known === undefined) dependents.set(other, [id])
      else known.push(id)
    }
  const after = new Set([from])
  // A set that grows while it is walked is walked to its end.
  for (const id of after) for (const dependent of dependents.get(id) ?? []) after.add(dependent)
  const carried = [...steps.values()].filter(({ id, status }) => status === 'done' && !after.has(id)).length
  return { carried, anew: steps.size - carried }
}
