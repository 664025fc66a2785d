import './sessions.css'
import type { RoomProps } from '../rooms.ts'
import { query } from '../router.ts'
import { NoSuchPage } from '../views/no-such-page.tsx'
import { SessionView } from './session-view.tsx'
import { SessionsView } from './sessions-view.tsx'

/** `/sessions` and `/sessions/ID`. */
export function SessionsRoom({ parts: [id, ...rest] }: RoomProps) {
  if (id === undefined) return <SessionsView />
  if (rest.length > 0) return <NoSuchPage />
  return <SessionView key={id} id={id} turn={query.value.get('turn') ?? undefined} />
}
