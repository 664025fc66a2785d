/** A schedule as a program or a person writes it, and the checked form that is stored. */
import { redactSecrets } from '@agentm/nodes'
import { Cron } from 'croner'
import type { NewPlan } from '../new-plan.ts'
import { planDrafts } from '../plan-content.ts'
import { InvalidPlanError, InvalidScheduleError, isHarnessError } from '../harness-errors.ts'
import { plan as planConcept } from '../plan.ts'
import { step as stepConcept } from '../step.ts'
import { iso } from './pure/catch-up.ts'
import { type Span, spanMs } from '../functions/pure/span.ts'
import type { CatchUp, Overlap, Schedule } from './schedule.ts'
import { slotsOf } from './slots-of.ts'

/** The plan that a schedule starts. Each start is a new plan with an id of its own. */
export type ScheduledPlan = Omit<NewPlan, 'id' | 'partition' | 'startedBy'>

/** A schedule to add: when it starts a plan, which plan, and what happens when a start is late or the previous plan still runs. */
export interface NewSchedule {
  /** Five fields: minute, hour, day of month, month, weekday; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. */
  readonly cron?: string
  /** Instead of `cron`: the time between two starts, such as `'15 minutes'`. At least one second. */
  readonly every?: Span
  /** The time zone of `cron`, such as `Europe/Berlin` (default: `UTC`). */
  readonly zone?: string
  /**
   * The plan to start. In its texts, `{{scheduledFor}}` is replaced by the time of the schedule that the start is for, and
   * `{{scheduledDate}}` by its date in `zone`. The plan's `input.scheduledFor` has the same time.
   */
  readonly plan: ScheduledPlan
  /** What to do with starts that were missed (default: `last`). */
  readonly catchUp?: CatchUpPolicy
  /** What happens when a start is due and the previous plan has not ended (default: `skip`). */
  readonly overlap?: Overlap
  /** Delays each start by up to this time, so that many schedules do not start at the same second (default: 0). */
  readonly jitter?: Span
  /** No start before this time. A text without an offset is a time in `zone`. */
  readonly startsAt?: Date | string
  /** No start after this time. */
  readonly endsAt?: Date | string
  /** The project of its plans. */
  readonly partition?: string
}

/**
 * `skip`: nothing that was missed is started. `last`: the newest missed start is made. `all`: every missed start is made, at most
 * `max` (default: 100) of the newest. `within` limits how late a start may be made (default: no limit; for `all`, 7 days).
 */
export type CatchUpPolicy =
  | 'skip'
  | 'last'
  | 'all'
  | { readonly missed: 'skip' | 'last' | 'all'; readonly within?: Span; readonly max?: number }

/** The fields of a schedule that its definition sets. */
export type Definition = Pick<
  Schedule,
  'cron' | 'everyMs' | 'anchor' | 'zone' | 'jitterMs' | 'startsAt' | 'endsAt' | 'catchUp' | 'overlap' | 'plan'
>

const week = 604_800_000

/** Refuses with every mistake. `now` is the anchor of an interval that has no start time. */
export function definitionOf(
  given: NewSchedule,
  { now, owner }: { readonly now: number; readonly owner: string },
): Definition {
  const problems = new Problems()
  const zone = problems.try(() => checkedZone(given.zone ?? 'UTC')) ?? 'UTC'
  const startsAt = problems.try(() => momentOf(given.startsAt, { name: 'startsAt', zone }))
  const endsAt = problems.try(() => momentOf(given.endsAt, { name: 'endsAt', zone }))
  const everyMs = problems.try(() => everyOf(given))
  const definition = {
    ...(given.cron !== undefined && { cron: given.cron.trim() }),
    ...(everyMs !== undefined && { everyMs }),
    zone,
    anchor: startsAt ?? iso(now),
    jitterMs: problems.try(() => span(given.jitter ?? 0, 'jitter')) ?? 0,
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt }),
    catchUp: problems.try(() => catchUpOf(given.catchUp ?? 'last')) ?? { missed: 'last', max: 100 },
    overlap: given.overlap ?? 'skip',
    plan: problems.try(() => checkedPlan(given.plan, owner)) ?? {},
  } satisfies Definition
  problems.throwIfAny()
  if (slotsOf(definition).next(now) === undefined) throw new InvalidScheduleError([neverText(definition, now)])
  return definition
}

/** Collects mistakes, so that one error names all of them. */
class Problems {
  readonly #all: string[] = []

  try<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      const known = isHarnessError(error, 'INVALID_SCHEDULE') ? (error as InvalidScheduleError).problems : undefined
      this.#all.push(...(known ?? [error instanceof Error ? error.message : String(error)]))
      return undefined
    }
  }

  throwIfAny(): void {
    if (this.#all.length > 0) throw new InvalidScheduleError(this.#all)
  }
}

function everyOf({ cron, every }: NewSchedule): number | undefined {
  if ((cron === undefined) === (every === undefined))
    throw new InvalidScheduleError([
      cron === undefined
        ? 'it says no time. Give cron, such as "0 9 * * 1-5", or every, such as "15 minutes"'
        : 'it has both cron and every. Give one of them',
    ])
  if (every === undefined) return undefined
  const ms = span(every, 'every')
  if (ms < 1000) throw new InvalidScheduleError([`every is ${ms} ms, and the shortest interval is 1 second`])
  return ms
}

function span(given: Span, name: string): number {
  try {
    return spanMs(given)
  } catch (error) {
    throw new InvalidScheduleError([`${name}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

function checkedZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw new InvalidScheduleError([
      `there is no time zone ${JSON.stringify(zone)}. Give a name such as "Europe/Berlin" or "UTC"`,
    ])
  }
}

const withOffset = /(?:Z|[+-]\d\d:?\d\d)$/

/** A text without an offset is a time on the clocks of the zone. */
function momentOf(
  given: Date | string | undefined,
  { name, zone }: { readonly name: string; readonly zone: string },
): string | undefined {
  if (given === undefined) return undefined
  const at = typeof given === 'string' ? parsedMoment(given, zone) : given
  if (at === undefined || Number.isNaN(at.getTime()))
    throw new InvalidScheduleError([
      `${name} is ${JSON.stringify(given)}, which is no time. Write it like "2026-12-01", "2026-12-01T09:00" or "2026-12-01T09:00:00Z"`,
    ])
  return at.toISOString()
}

const local = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?)?$/

function parsedMoment(text: string, zone: string): Date | undefined {
  if (withOffset.test(text) && text.includes('T')) return new Date(text)
  const [, day, time = '00:00', seconds = ':00'] = local.exec(text) ?? []
  if (day === undefined) return undefined
  try {
    return new Cron(`${day}T${time}${seconds}`, { timezone: zone, paused: true }).nextRun(new Date(0)) ?? undefined
  } catch {
    return undefined
  }
}

function catchUpOf(policy: CatchUpPolicy): CatchUp {
  const { missed, within, max = 100 } = typeof policy === 'string' ? { missed: policy } : policy
  if (!Number.isInteger(max) || max < 1 || max > 1000)
    throw new InvalidScheduleError([`catchUp.max is ${max}, and must be a whole number from 1 to 1,000`])
  const withinMs = within === undefined ? (missed === 'all' ? week : undefined) : span(within, 'catchUp.within')
  return { missed, max, ...(withinMs !== undefined && { withinMs }) }
}

/** Checked now, because a start at night has nobody who reads the error. */
function checkedPlan(plan: ScheduledPlan, owner: string): Definition['plan'] {
  const { goal, steps, input, inputs, budget, check } = plan
  const titled = steps.map((step) => ({ ...step, title: redactSecrets(step.title) }))
  const limits = { ...(inputs && { inputs }), ...(budget && { budget }), ...(check && { check }) }
  const kept = { goal: redactSecrets(goal), steps: titled, ...(input && { input }), ...limits }
  try {
    for (const { concept, payload, update } of planDrafts({ ...kept, id: 'draft' }).drafts)
      if (update !== true) checkDraft(concept, { ownerUserId: owner, ...payload })
  } catch (error) {
    if (isHarnessError(error, 'INVALID_PLAN')) throw new InvalidScheduleError((error as InvalidPlanError).problems)
    throw error
  }
  return structuredClone(kept)
}

function checkDraft(concept: string, payload: Readonly<Record<string, unknown>>): void {
  const { schema } = concept === planConcept.name ? planConcept : stepConcept
  const parsed = schema.safeParse(payload)
  if (parsed.success) return
  const { title, goal } = payload
  const about = typeof title === 'string' ? `the step ${JSON.stringify(title)}` : `the plan ${JSON.stringify(goal)}`
  throw new InvalidScheduleError(
    parsed.error.issues.map(({ path, message }) => `${about}: ${path.join('.')}: ${message}`),
  )
}

function neverText({ cron, endsAt }: Definition, now: number): string {
  if (endsAt !== undefined && Date.parse(endsAt) <= now) return `endsAt is ${endsAt}, which has passed`
  return cron === undefined
    ? 'it has no start before its end'
    : `the cron expression ${JSON.stringify(cron)} names no time${endsAt === undefined ? '' : ' before the end'}`
}
