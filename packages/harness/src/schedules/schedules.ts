/** What a harness does with schedules. */
import type { Runtime } from '@agentm/agent-loop'
import type { CreatedPlan } from '../new-plan.ts'
import type { HarnessContext } from '../harness-context.ts'
import type { ByHand } from '../pure/plan-drafts.ts'
import type { NewSchedule } from './new-schedule.ts'
import {
  type AddedSchedule,
  addSchedule,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  runSchedule,
} from './schedule-control.ts'
import { type ScheduleHistory, scheduleHistory, type ScheduleStanding, scheduleStandings } from './schedule-standing.ts'

/** Schedules of one owner. Workers that are not limited to some plans start what is due. */
export interface Schedules {
  /**
   * Adds a schedule. The same schedule under the same name is added once; a different one is refused unless `replace` is set, which
   * changes the schedule and keeps its history.
   */
  schedule(
    name: string,
    schedule: NewSchedule,
    options?: ByHand & { readonly replace?: boolean },
  ): Promise<AddedSchedule>
  /** All schedules that were not removed. */
  schedules(): Promise<readonly ScheduleStanding[]>
  /** One schedule, with its last starts and what it left out, newest first. `events` (default: 10) limits how far it looks back. */
  scheduleHistory(name: string, options?: { readonly events?: number }): Promise<ScheduleHistory>
  /** No start is made until it is resumed. Running plans go on. */
  pauseSchedule(name: string, by?: ByHand): Promise<void>
  /** Continues with the next time. Starts during the pause are left out. */
  resumeSchedule(name: string, by?: ByHand): Promise<void>
  /** Starts its plan now, whatever runs. The next start of the schedule does not change. */
  runSchedule(name: string, by?: ByHand): Promise<CreatedPlan>
  /** Makes no more starts. Running plans go on, and the history stays in the log. */
  removeSchedule(name: string, by?: ByHand): Promise<void>
}

export function schedulesOf(context: HarnessContext, { newId }: Pick<Runtime, 'newId'>): Schedules {
  return {
    schedule: (name, schedule, { replace = false, ...by } = {}) =>
      addSchedule(context, { name, schedule, replace }, by),
    schedules: () => scheduleStandings(context),
    scheduleHistory: (name, options) => scheduleHistory(context, name, options),
    async pauseSchedule(name, by) {
      await pauseSchedule(context, name, by)
    },
    async resumeSchedule(name, by) {
      await resumeSchedule(context, name, by)
    },
    runSchedule: (name, by) => runSchedule(context, { name, token: newId() }, by),
    async removeSchedule(name, by) {
      await removeSchedule(context, name, by)
    },
  }
}
