/** The state of schedules: the next start, what runs, what waits, and the last starts. */
import { type Node, scanAll, type Session } from '@agentm/nodes'
import { asPlan, type HarnessContext } from '../harness-context.ts'
import { planName, scheduleName } from '../pure/concept-names.ts'
import type { PlanStatus } from '../pure/plan-transitions.ts'
import { servingOf } from '../pure/serving.ts'
import { runningPlans } from './attend-schedule.ts'
import { type ScheduleEvent, scheduleEvents } from './pure/schedule-events.ts'
import { upcoming } from './pure/upcoming.ts'
import type { Schedule } from './schedule.ts'
import { asSchedule, readSchedule, type ScheduleHead } from './schedule-head.ts'
import { slotsOf } from './slots-of.ts'
import type { ScheduledPlan } from './new-schedule.ts'

/** The state of one schedule. */
export interface ScheduleStanding {
  readonly scheduleId: string
  readonly name: string
  readonly schedule: Schedule
  readonly partition: string
  /** The next starts with their delay, in epoch milliseconds; empty if it is paused or has ended. */
  readonly next: readonly number[]
  /** Its plans that have not ended. */
  readonly running: readonly string[]
  /** Live workers that serve schedules of this owner. A worker that is limited to some plans serves none. */
  readonly workers: number
  /** Kinds of steps of its plan that no such worker runs. */
  readonly lacks: readonly string[]
  /** The time of this state, in epoch milliseconds by the store's clock. */
  readonly now: number
}

/** A schedule with its last events, newest first. */
export interface ScheduleHistory extends ScheduleStanding {
  readonly events: readonly ScheduleEventNow[]
}

/** One thing that a schedule did, with the status that its plan has now. */
export type ScheduleEventNow = ScheduleEvent & {
  /** `undefined` if the plan was deleted from the log. */
  readonly planStatus?: PlanStatus | undefined
}

/** All schedules that were not removed, by name. */
export async function scheduleStandings(context: HarnessContext): Promise<readonly ScheduleStanding[]> {
  const { store, owner } = context
  const status = ['active', 'waiting', 'paused', 'ended']
  const heads = await scanAll(store.log, { owner, concepts: [scheduleName], status })
  const facts = await factsOf(context)
  const standings: ScheduleStanding[] = []
  for (const head of heads) if (!head.redacted) standings.push(await standingOf(context, asSchedule(head), facts))
  return standings.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** One schedule, with what it did last: starts, left out starts, and changes by hand. */
export async function scheduleHistory(
  context: HarnessContext,
  name: string,
  { events = 10 }: { readonly events?: number } = {},
): Promise<ScheduleHistory> {
  const head = await readSchedule(context, name)
  const standing = await standingOf(context, head, await factsOf(context))
  const { log } = context.store
  const after = Math.max(0, head.version - events)
  const versions = await log.history(head.id, { owner: context.owner, after })
  const found = versions.flatMap((node) => scheduleEvents(asSchedule(node))).toReversed()
  return { ...standing, events: await withStatuses(context, found) }
}

interface Facts {
  readonly served: readonly (readonly string[])[]
  readonly now: number
}

async function factsOf({ store, owner }: HarnessContext): Promise<Facts> {
  const now = await store.work.now()
  const live = (await store.work.sessions()).filter(({ leaseUntil }) => leaseUntil > now)
  const serves = (session: Session): readonly (readonly string[])[] => {
    const serving = servingOf(session)
    return serving?.owners.includes(owner) === true && serving.plans === undefined ? [serving.kinds] : []
  }
  return { served: live.flatMap(serves), now }
}

/** How many of the next starts a state has. */
const mostUpcoming = 5

async function standingOf(
  context: HarnessContext,
  head: ScheduleHead,
  { served, now }: Facts,
): Promise<ScheduleStanding> {
  const { id, payload, partition } = head
  const { steps } = payload.plan as unknown as ScheduledPlan
  const kinds = new Set(steps.map(({ kind = 'agent' }) => kind))
  return {
    scheduleId: id,
    name: payload.name,
    schedule: payload,
    partition,
    next: upcoming({ id, schedule: payload, slots: slotsOf(payload) }, mostUpcoming),
    running: await runningPlans(context, head),
    workers: served.length,
    lacks: [...kinds].filter((kind) => !served.some((runs) => runs.includes(kind))),
    now,
  }
}

async function withStatuses(
  { store, owner }: HarnessContext,
  events: readonly ScheduleEvent[],
): Promise<readonly ScheduleEventNow[]> {
  const ids = events.flatMap((event) => (event.what === 'started' ? [event.planId] : []))
  if (ids.length === 0) return events
  const heads: readonly Node[] = await scanAll(store.log, { owner, ids, concepts: [planName] })
  const statuses = new Map(heads.map((head) => [head.id, asPlan(head).payload.status]))
  return events.map((event) =>
    event.what === 'started' ? { ...event, planStatus: statuses.get(event.planId) } : event,
  )
}
