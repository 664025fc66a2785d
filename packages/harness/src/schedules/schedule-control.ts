/** Operations on schedules by hand. Each records who did it and why. */
import { isNodesError } from '@agentm/nodes'
import { isDeepStrictEqual } from 'node:util'
import type { CreatedPlan } from '../new-plan.ts'
import { type HarnessContext, untilUncontested } from '../harness-context.ts'
import { IdempotencyConflictError } from '../harness-errors.ts'
import type { ByHand } from '../pure/plan-drafts.ts'
import { runningPlans } from './attend-schedule.ts'
import { type Definition, definitionOf, type NewSchedule } from './new-schedule.ts'
import { iso, left } from './pure/catch-up.ts'
import { after } from './pure/next-decision.ts'
import {
  definitionDraft,
  pauseScheduleDraft,
  removeScheduleDraft,
  resumeScheduleDraft,
  runScheduleDraft,
} from './pure/schedule-drafts.ts'
import { slotsAfter } from './pure/upcoming.ts'
import type { Schedule } from './schedule.ts'
import { findSchedule, readSchedule, scheduleIdOf, type ScheduleHead } from './schedule-head.ts'
import { slotsOf } from './slots-of.ts'
import { scheduledPlan } from './start-scheduled-plan.ts'

/** What became of a schedule that was added. */
export interface AddedSchedule {
  readonly scheduleId: string
  /** `unchanged`: the same schedule existed already. */
  readonly change: 'added' | 'changed' | 'unchanged'
}

export interface AddRequest {
  readonly name: string
  readonly schedule: NewSchedule
  /** Changes an existing schedule of this name. Without it, a different schedule is refused. */
  readonly replace?: boolean
}

export async function addSchedule(
  context: HarnessContext,
  { name, schedule, replace = false }: AddRequest,
  by: ByHand = {},
): Promise<AddedSchedule> {
  const { store, owner, actor } = context
  const id = scheduleIdOf(owner, name)
  const now = await store.work.now()
  const definition = definitionOf(schedule, { now, owner })
  return untilUncontested(async () => {
    const known = await findSchedule(context, name)
    const isThere = known !== undefined && known.payload.status !== 'removed'
    if (isThere && isSame(known.payload, definition)) return { scheduleId: id, change: 'unchanged' as const }
    if (isThere && !replace) throw new IdempotencyConflictError(`the schedule ${name}`)
    const change = isThere ? ('changed' as const) : ('added' as const)
    const draft = definitionDraft({ id, name: known?.payload.name ?? name }, definition, {
      ...firstState(id, definition, { now, known }),
      did: { change },
    })
    const partition = schedule.partition === undefined ? {} : { partition: schedule.partition }
    await store.log.append([signedBy(draft, by)], {
      owner,
      actor,
      ...partition,
      expects: { [id]: known?.version ?? 0 },
    })
    return { scheduleId: id, change }
  })
}

function signedBy(draft: ReturnType<typeof definitionDraft>, { actor, reason }: ByHand): typeof draft {
  const payload = { ...draft.payload, ...(actor !== undefined && { actor }), ...(reason !== undefined && { reason }) }
  const unset = ['actor', 'reason'].filter((field) => !(field in payload))
  return { ...draft, payload, unset: [...(draft.unset ?? []), ...unset] }
}

/** A paused schedule stays paused when its definition changes. */
function firstState(
  id: string,
  definition: Definition,
  { now, known }: { readonly now: number; readonly known: ScheduleHead | undefined },
) {
  const slots = slotsOf(definition)
  const schedule = { jitterMs: definition.jitterMs } as Schedule
  const { next, status } = after(slots.next(now), [], { id, schedule, slots })
  return { next, status: known?.payload.status === 'paused' ? ('paused' as const) : status }
}

/** The anchor of an interval without a start time is the time at which it was added, so it is not compared. */
function isSame(known: Schedule, definition: Definition): boolean {
  const { anchor: _, ...wanted } = definition
  const fields = ['cron', 'everyMs', 'startsAt', 'endsAt'] as const
  if (fields.some((field) => known[field] !== definition[field])) return false
  return Object.entries(wanted).every(([field, value]) =>
    isDeepStrictEqual(plain(known[field as keyof Schedule]), plain(value)),
  )
}

/** As it is stored: without fields that are `undefined`. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

export async function pauseSchedule(context: HarnessContext, name: string, by: ByHand = {}): Promise<ScheduleHead> {
  return changing(context, name, async (head) =>
    head.payload.status === 'paused' ? undefined : { drafts: [pauseScheduleDraft(head, by)] },
  )
}

/** Starts during the pause are left out: whoever pauses a schedule does not want them. */
export async function resumeSchedule(context: HarnessContext, name: string, by: ByHand = {}): Promise<ScheduleHead> {
  return changing(context, name, async (head) => {
    const { id, payload } = head
    if (payload.status !== 'paused') return undefined
    const now = await context.store.work.now()
    const slots = slotsOf(payload)
    const from = payload.slot === undefined ? undefined : Date.parse(payload.slot)
    const passed = from === undefined ? [] : slotsAfter(slots, from - 1, { count: mostCounted, to: now })
    const skipped = left(passed, 'paused').map((each) =>
      passed.length === mostCounted ? { ...each, more: true } : each,
    )
    const state = after(slots.next(now), payload.backlog, { id, schedule: payload, slots })
    const did = { change: 'resumed' as const, ...(skipped.length > 0 && { skipped: [...skipped] }) }
    return { drafts: [resumeScheduleDraft(head, { ...state, did }, by)] }
  })
}

const mostCounted = 1000

/** Starts no plan any more. Plans that it started go on. Its history stays, and the name can be used again. */
export async function removeSchedule(context: HarnessContext, name: string, by: ByHand = {}): Promise<ScheduleHead> {
  return changing(context, name, async (head) => ({ drafts: [removeScheduleDraft(head, by)] }))
}

/** Starts its plan now, whatever runs and also if it is paused. The next start of the schedule does not change. */
export async function runSchedule(
  context: HarnessContext,
  { name, token }: { readonly name: string; readonly token: string },
  by: ByHand = {},
): Promise<CreatedPlan> {
  let made: CreatedPlan | undefined
  await changing(context, name, async (head) => {
    const slot = iso(await context.store.work.now())
    const { planId, steps, drafts } = scheduledPlan(head, { slot, token })
    made = { planId, steps, created: true }
    const running = [...(await runningPlans(context, head)), planId]
    const did = { started: { slot, planId, as: 'by hand' as const } }
    return { drafts: [...drafts, runScheduleDraft(head, { running, did }, by)], expects: { [planId]: 0 } }
  })
  if (made === undefined) throw new TypeError('a start by hand always makes a plan')
  return made
}

interface Changed {
  readonly drafts: readonly ReturnType<typeof pauseScheduleDraft>[]
  readonly expects?: Readonly<Record<string, number>>
}

async function changing(
  context: HarnessContext,
  name: string,
  change: (head: ScheduleHead) => Promise<Changed | undefined>,
): Promise<ScheduleHead> {
  const { store, owner, actor } = context
  return untilUncontested(async () => {
    const head = await readSchedule(context, name)
    const changed = await change(head)
    if (changed === undefined) return head
    const { drafts, expects } = changed
    const known = { ...expects, [head.id]: head.version }
    await store.log.append(drafts, { owner, actor, partition: head.partition, expects: known })
    return readSchedule(context, name).catch((error: unknown) => {
      if (isNodesError(error, 'ABSENT_NODE')) return head
      throw error
    })
  })
}
