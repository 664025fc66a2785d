/**
 * What to do with a schedule now: start one plan, wait for the previous plan, or leave starts out. Each decision is one write, which
 * also moves the schedule on, so that a start is made once and a crash between two decisions loses nothing.
 */
import type { Schedule, Skipped, WaitingStart } from '../schedule.ts'
import { catchUp, iso, left, type Sorted } from './catch-up.ts'
import { dueSlots } from './due-slots.ts'
import { isServed, type ScheduleStatus } from './schedule-transitions.ts'
import type { Slots } from './slots.ts'
import { startTime } from './start-time.ts'

export interface ScheduleView {
  readonly id: string
  readonly schedule: Schedule
  readonly slots: Slots
  /** The plans of the schedule that have not ended. */
  readonly running: readonly string[]
  readonly now: number
}

export interface ScheduleDecision {
  readonly start?: { readonly slot: number; readonly as: 'due' | 'missed' | 'queued' }
  /** Plans to cancel, because the start replaces them. */
  readonly cancel: readonly string[]
  readonly skipped: readonly Skipped[]
  readonly backlog: readonly WaitingStart[]
  readonly status: ScheduleStatus
  /** The next time to decide about, and when its start is made. Absent after the last one. */
  readonly next?: { readonly slot: number; readonly at: number }
}

/** `undefined` if there is nothing to do now. */
export function nextDecision(view: ScheduleView): ScheduleDecision | undefined {
  const { schedule, slots, running, now } = view
  if (!isServed(schedule.status)) return undefined
  const from = schedule.slot === undefined ? undefined : Date.parse(schedule.slot)
  const { missed, max } = schedule.catchUp
  const most = missed === 'all' ? max + 1 : 1
  const due = from === undefined ? undefined : dueSlots({ ...jittered(view), from, now, most })
  const placed = place(due === undefined ? nothing : catchUp(due, schedule.catchUp, now), view)
  const begun = begin(placed, running, schedule)
  if (due === undefined && begun.start === undefined) return undefined
  const next = due === undefined ? from : slots.next(due.slots.at(-1) ?? now)
  return { ...begun, ...after(next, begun.backlog, view) }
}

/** The next time, and the status that follows from it. */
export function after(
  slot: number | undefined,
  backlog: readonly WaitingStart[],
  view: Pick<ScheduleView, 'id' | 'schedule' | 'slots'>,
): Pick<ScheduleDecision, 'next' | 'status'> {
  if (slot === undefined) return { status: backlog.length > 0 ? 'waiting' : 'ended' }
  const next = { slot, at: startTime(slot, jittered(view)) }
  return { next, status: backlog.length > 0 ? 'waiting' : 'active' }
}

const nothing: Sorted = { line: [], skipped: [] }

function jittered({ id, schedule: { jitterMs }, slots }: Pick<ScheduleView, 'id' | 'schedule' | 'slots'>) {
  return { id, jitterMs, slots }
}

type Placed = Pick<ScheduleDecision, 'start' | 'cancel' | 'skipped' | 'backlog'>

/** Applies the overlap policy: the start that is due is made, waits, or is left out. */
function place({ line, ordinary, skipped }: Sorted, { schedule, running }: ScheduleView): Placed {
  const room = schedule.catchUp.max + 1
  const waiting = [...schedule.backlog, ...line.map((slot) => waitingStart(slot, 'missed'))]
  const backlog = waiting.slice(-room)
  const excess = waiting.slice(0, waiting.length - backlog.length).map(({ slot }) => Date.parse(slot))
  const placed = { cancel: [], backlog, skipped: [...skipped, ...left(excess, 'over the maximum')] }
  if (ordinary === undefined) return placed
  const isBusy = running.length > 0 || backlog.length > 0
  if (!isBusy || (schedule.overlap === 'allow' && backlog.length === 0)) return { ...placed, start: ordinary }
  return placeBusy(ordinary, placed, { schedule, running })
}

function placeBusy(
  ordinary: NonNullable<Sorted['ordinary']>,
  placed: Placed,
  { schedule: { overlap }, running }: Pick<ScheduleView, 'schedule' | 'running'>,
): Placed {
  const { backlog, skipped } = placed
  const leaveOut = (why: Skipped['why']): Placed => ({
    ...placed,
    skipped: [...skipped, ...left([ordinary.slot], why)],
  })
  switch (overlap) {
    case 'allow':
      return {
        ...placed,
        backlog: [...backlog, waitingStart(ordinary.slot, ordinary.as === 'missed' ? 'missed' : 'queued')],
      }
    case 'queue':
      if (backlog.length > 0) return leaveOut('one waits')
      return { ...placed, backlog: [waitingStart(ordinary.slot, ordinary.as === 'missed' ? 'missed' : 'queued')] }
    case 'replace': {
      const dropped = left(
        backlog.map(({ slot }) => Date.parse(slot)),
        'replaced',
      )
      return { start: ordinary, cancel: running, backlog: [], skipped: [...skipped, ...dropped] }
    }
    default:
      return leaveOut('still running')
  }
}

/** Starts the first one that waits, if it need not wait any more. */
function begin(placed: Placed, running: readonly string[], { overlap }: Schedule): Placed {
  const [first, ...others] = placed.backlog
  if (placed.start !== undefined || first === undefined) return placed
  if (overlap !== 'allow' && running.length > 0) return placed
  return { ...placed, start: { slot: Date.parse(first.slot), as: first.as }, backlog: others }
}

function waitingStart(slot: number, as: WaitingStart['as']): WaitingStart {
  return { slot: iso(slot), as }
}
