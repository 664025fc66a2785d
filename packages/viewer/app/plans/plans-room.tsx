import type { RoomProps } from '../rooms.ts'
import { query } from '../router.ts'
import { NoSuchPage } from '../views/no-such-page.tsx'
import { CompareChoice } from './compare-choice.tsx'
import { CompareView } from './compare-view.tsx'
import { PlanView } from './plan-view.tsx'
import { PlansView } from './plans-view.tsx'

/** `/plans`, `/plans/ID`, `/plans/ID/graph`, `/plans/ID/compare` and `/plans/ID/compare/OTHER`. */
export function PlansRoom({ parts: [id, as = 'timeline', ...rest] }: RoomProps) {
  if (id === undefined) return <PlansView />
  if (as === 'compare' && rest.length <= 1)
    return rest[0] === undefined ? <CompareChoice key={id} id={id} /> : <CompareView a={id} b={rest[0]} />
  if ((as !== 'timeline' && as !== 'graph') || rest.length > 0) return <NoSuchPage />
  return <PlanView key={id} id={id} as={as} step={query.value.get('step') ?? undefined} />
}
