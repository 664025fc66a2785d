/** Puts the time of a start into the plan that is started. */
import type { ScheduledPlan } from '../new-schedule.ts'

export interface Occasion {
  /** The name of the schedule. */
  readonly schedule: string
  /** The time of the schedule, in ISO form. */
  readonly scheduledFor: string
  /** Its date in the zone of the schedule, such as `2026-11-19`. */
  readonly scheduledDate: string
}

/** Every text of the plan, at any depth. Keys of steps are kept, because they name the steps. */
export function fillPlaceholders(plan: ScheduledPlan, occasion: Occasion): ScheduledPlan {
  const { scheduledFor, schedule } = occasion
  const steps = plan.steps.map((step) => ({
    ...step,
    title: filledText(step.title, occasion),
    ...(step.input && { input: filled(step.input, occasion) as NonNullable<typeof step.input> }),
  }))
  const input = filled(plan.input ?? {}, occasion) as NonNullable<ScheduledPlan['input']>
  return { ...plan, goal: filledText(plan.goal, occasion), steps, input: { ...input, schedule, scheduledFor } }
}

function filled(value: unknown, occasion: Occasion): unknown {
  if (typeof value === 'string') return filledText(value, occasion)
  if (Array.isArray(value)) return value.map((each) => filled(each, occasion))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, occasion)]))
}

function filledText(text: string, occasion: Occasion): string {
  return text.replaceAll(
    /\{\{ ?(schedule|scheduledFor|scheduledDate) ?\}\}/g,
    (_, name: keyof Occasion) => occasion[name],
  )
}
