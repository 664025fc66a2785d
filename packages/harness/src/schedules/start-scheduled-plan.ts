/** The plan of one start: its id follows from the schedule and the slot, so that the same start cannot be made twice. */
import { deriveId, type Draft } from '@agentm/nodes'
import { planDrafts } from '../plan-content.ts'
import { planName } from '../pure/concept-names.ts'
import { fillPlaceholders } from './pure/fill-placeholders.ts'
import type { ScheduledPlan } from './new-schedule.ts'
import type { ScheduleHead } from './schedule-head.ts'

export interface Start {
  /** The time of the schedule that the plan is started for. */
  readonly slot: string
  /** Distinguishes a start by hand from the start that is due at the same time. */
  readonly token?: string
}

export interface StartedPlan {
  readonly planId: string
  readonly steps: Readonly<Record<string, string>>
  readonly drafts: readonly Draft[]
}

export function scheduledPlan({ id, payload }: ScheduleHead, { slot, token }: Start): StartedPlan {
  const { name, zone } = payload
  const occasion = { schedule: name, scheduledFor: slot, scheduledDate: dateIn(zone, slot) }
  // Its content was checked when the schedule was added.
  const plan = fillPlaceholders(payload.plan as unknown as ScheduledPlan, occasion)
  const planId = deriveId(planName, id, slot, ...(token === undefined ? [] : [token]))
  return planDrafts({ ...plan, id: planId, scheduled: { scheduleId: id, scheduledFor: slot } })
}

function dateIn(zone: string, at: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const of = Object.fromEntries(parts.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  return `${of['year']}-${of['month']}-${of['day']}`
}
