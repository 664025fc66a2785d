/**
 * Groups steps by the length of the longest path to them. Steps of one wave may start in any order. Unknown dependencies are
 * ignored. A dependency cycle, which has no valid order, forms one wave after the steps that lead to it.
 */
export interface Dependent {
  readonly id: string
  readonly dependsOn: readonly string[]
}

/** The number of each step's wave, from 0. */
export function dependencyWaves(steps: readonly Dependent[]): ReadonlyMap<string, number> {
  const known = new Set(steps.map(({ id }) => id))
  const needs = new Map(steps.map(({ id, dependsOn }) => [id, new Set(dependsOn.filter((to) => known.has(to)))]))
  const waves = new Map<string, number>()
  let wave = 0
  for (let open = [...needs]; open.length > 0; wave++) {
    const free = open.filter(([, targets]) => [...targets].every((target) => (waves.get(target) ?? wave) < wave))
    // Only steps in cycles, and steps that depend on them, remain.
    for (const [id] of free.length > 0 ? free : open) waves.set(id, wave)
    open = free.length > 0 ? open.filter(([id]) => !waves.has(id)) : []
  }
  return waves
}
