/**
 * A schedule: which plan is started at which times, and what happens when a start is late or the previous plan still runs. Its
 * timer is the next start. The version that starts a plan also says so, so the versions of a schedule are its history.
 */
import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'
import { planName, scheduleName } from '../pure/concept-names.ts'
import { scheduleRefusal, scheduleStatuses } from './pure/schedule-transitions.ts'
import { timerOf } from './pure/timer-of.ts'

const object = z.record(z.string(), z.unknown())
const moment = z.iso.datetime()

/** Why a start was left out. */
export const skipReasons = [
  'missed',
  'too old',
  'over the maximum',
  'still running',
  'one waits',
  'replaced',
  'paused',
] as const

const skippedSchema = z.object({
  from: moment,
  to: moment,
  count: z.number().int().min(1),
  /** There were more than `count`. They were not counted, because that would take long. */
  more: z.boolean().optional(),
  why: z.enum(skipReasons),
})

const waitingSchema = z.object({ slot: moment, as: z.enum(['missed', 'queued']) })

const startedSchema = z.object({
  /** The time of the schedule that this start is for. */
  slot: moment,
  planId: z.string(),
  /** On time, caught up after it was missed, waited for the previous plan, or started by hand. */
  as: z.enum(['due', 'missed', 'queued', 'by hand']),
})

/** What one version of a schedule did. */
export const deedSchema = z.object({
  change: z.enum(['added', 'changed', 'paused', 'resumed', 'removed']).optional(),
  started: startedSchema.optional(),
  skipped: z.array(skippedSchema).optional(),
  /** Plans that were cancelled, because this start replaces them. */
  cancelled: z.array(z.string()).optional(),
  /** The plan could not be created. */
  failed: z.object({ slot: moment, message: z.string() }).optional(),
})

/** What to do with starts that were missed, for example because no worker was running. */
export const catchUpSchema = z.object({
  missed: z.enum(['skip', 'last', 'all']).default('last'),
  /** A start that is later than this is never caught up. */
  withinMs: z.number().min(1).optional(),
  /** With `all`: how many of the newest missed starts are caught up at most. */
  max: z.number().int().min(1).max(1000).default(100),
})

export const overlaps = ['allow', 'skip', 'queue', 'replace'] as const

export const scheduleSchema = z.object({
  ownerUserId: z.string().min(1),
  name: z.string().min(1),
  status: z.enum(scheduleStatuses).default('active'),
  /** Either a cron expression or an interval. */
  cron: z.string().optional(),
  everyMs: z.number().min(1000).optional(),
  /** The times of an interval are whole intervals after this time. */
  anchor: moment,
  zone: z.string(),
  jitterMs: z.number().min(0).default(0),
  startsAt: moment.optional(),
  endsAt: moment.optional(),
  catchUp: catchUpSchema,
  overlap: z.enum(overlaps).default('skip'),
  /** The plan that is started, in the form that `createPlan` takes. */
  plan: object,
  /** The next time of the schedule that was not decided yet. Absent after the last one. */
  slot: moment.optional(),
  /** When that start is made: its time and its jitter. */
  slotAt: moment.optional(),
  /** Starts that wait for the previous plan, oldest first. */
  backlog: z.array(waitingSchema).default([]),
  /** Plans of this schedule that had not ended at the last decision. */
  running: z.array(z.string()).default([]),
  did: deedSchema.optional(),
  /** Who made the last change by hand, and why. */
  actor: z.string().optional(),
  reason: z.string().optional(),
})

/** The content of a schedule node. */
export type Schedule = z.infer<typeof scheduleSchema>
export type CatchUp = z.infer<typeof catchUpSchema>
/** What happens when a start is due and the previous plan of the schedule has not ended. */
export type Overlap = (typeof overlaps)[number]
export type Deed = z.infer<typeof deedSchema>
/** Starts that were left out, and why. */
export type Skipped = z.infer<typeof skippedSchema>
export type WaitingStart = z.infer<typeof waitingSchema>

export const schedule = defineConcept({
  name: scheduleName,
  schema: scheduleSchema,
  guard: ({ prior, next }) => scheduleRefusal(prior?.status, next.status),
  relations: [{ field: 'running', to: planName, kind: 'owns' }],
  // The plan has the inputs of its steps, and a step cannot run with a header in which parts were masked.
  verbatim: ['plan', 'did'],
  timer: (payload) => timerOf(payload),
})
