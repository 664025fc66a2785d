import type { RoomProps } from '../rooms.ts'
import { query } from '../router.ts'
import { NoSuchPage } from '../views/no-such-page.tsx'
import { PlanView } from './plan-view.tsx'
import { PlansView } from './plans-view.tsx'

/** `/plans`, `/plans/ID` and `/plans/ID/graph`. */
export function PlansRoom({ parts: [id, as = 'timeline', ...rest] }: RoomProps) {
  if (id === undefined) return <PlansView />
  if ((as !== 'timeline' && as !== 'graph') || rest.length > 0) return <NoSuchPage />
  return <PlanView key={id} id={id} as={as} step={query.value.get('step') ?? undefined} />
}
