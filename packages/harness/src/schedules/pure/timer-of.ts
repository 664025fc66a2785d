/** When a worker has to look at a schedule next. */
import type { Schedule } from '../schedule.ts'
import { isServed } from './schedule-transitions.ts'

/** Of an erased schedule, only the status is left. */
type Timed = Pick<Schedule, 'status'> & Partial<Pick<Schedule, 'overlap' | 'backlog' | 'slotAt'>>

export function timerOf({ status, overlap, backlog = [], slotAt }: Timed): number | undefined {
  if (!isServed(status)) return undefined
  const [first] = backlog
  // Starts that may overlap wait for nothing. They only wait because each is a write of its own.
  if (first !== undefined && overlap === 'allow') return Date.parse(first.slot)
  return slotAt === undefined ? undefined : Date.parse(slotAt)
}
