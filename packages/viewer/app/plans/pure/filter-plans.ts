/** Which plans of the list are shown. */
import type { Ask, PlanRow } from '../../../src/contract/plans.ts'

export const planFilters = ['all', 'active', 'you', 'failed', 'done'] as const
export type PlanFilter = (typeof planFilters)[number]

export interface Wanted {
  readonly filter: PlanFilter
  readonly words: string
  readonly project: string
  readonly asking: ReadonlySet<string>
}

export function filterPlans(plans: readonly PlanRow[], wanted: Wanted): readonly PlanRow[] {
  const words = wanted.words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return plans.filter(
    (plan) =>
      fits(plan, wanted) &&
      (wanted.project === '' || plan.project === wanted.project) &&
      words.every((word) =>
        `${plan.goal} ${plan.id} ${plan.project} ${plan.errorMessage ?? ''}`.toLowerCase().includes(word),
      ),
  )
}

export function fits(plan: PlanRow, { filter, asking }: Pick<Wanted, 'filter' | 'asking'>): boolean {
  switch (filter) {
    case 'active':
      return plan.status === 'open' || plan.status === 'running'
    case 'you':
      return asking.has(plan.id)
    case 'failed':
      return plan.status === 'failed' || (plan.steps['failed'] ?? 0) > 0
    case 'done':
      return plan.status === 'done'
    default:
      return true
  }
}

export function isFilter(word: string | null): word is PlanFilter {
  return planFilters.some((filter) => filter === word)
}

export function askingPlans(asks: readonly Ask[]): ReadonlySet<string> {
  return new Set(asks.map(({ planId }) => planId))
}
