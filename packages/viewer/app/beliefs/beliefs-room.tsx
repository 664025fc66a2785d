import './beliefs.css'
import type { RoomProps } from '../rooms.ts'
import { NoSuchPage } from '../views/no-such-page.tsx'
import { BeliefView } from './belief-view.tsx'
import { BeliefsView } from './beliefs-view.tsx'

/** `/beliefs` and `/beliefs/ID`. */
export function BeliefsRoom({ parts: [id, ...rest] }: RoomProps) {
  if (id === undefined) return <BeliefsView />
  return rest.length > 0 ? <NoSuchPage /> : <BeliefView key={id} id={id} />
}
