import './health.css'
import type { RoomProps } from '../rooms.ts'
import { NoSuchPage } from '../views/no-such-page.tsx'
import { HealthView } from './health-view.tsx'

/** `/health`. */
export function HealthRoom({ parts }: RoomProps) {
  return parts.length === 0 ? <HealthView /> : <NoSuchPage />
}
