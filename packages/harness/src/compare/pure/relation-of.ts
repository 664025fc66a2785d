import type { PlanRelation } from '../comparison.ts'

/** A plan and those that it comes from, the nearest first. */
export interface Lineage {
  readonly id: string
  readonly before: readonly { readonly id: string; readonly by: 'fork' | 'follows' }[]
  readonly scheduleId?: string
}

export function relationOf(a: Lineage, b: Lineage): PlanRelation {
  if (a.id === b.id) return 'same'
  const way = wayTo(a, b.id) ?? wayTo(b, a.id)
  if (way !== undefined) return way.every(({ by }) => by === 'fork') ? 'fork' : 'follows'
  const known = new Set(a.before.map(({ id }) => id))
  if (b.before.some(({ id }) => known.has(id))) return 'siblings'
  return a.scheduleId !== undefined && a.scheduleId === b.scheduleId ? 'schedule' : 'unrelated'
}

/** The steps from a plan back to an earlier one. */
function wayTo({ before }: Lineage, id: string): Lineage['before'] | undefined {
  const at = before.findIndex((each) => each.id === id)
  return at < 0 ? undefined : before.slice(0, at + 1)
}
