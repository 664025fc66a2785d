/**
 * Does what is due for one schedule. A start is one append: the plan of that slot, and the schedule moved on from it. The append
 * expects the version of the schedule that the decision was based on, so of several workers one wins, and a worker that dies before
 * the append leaves everything to the next one.
 */
import { type Draft, isNodesError, redactSecrets } from '@agentm/nodes'
import { asPlan, type HarnessContext } from '../harness-context.ts'
import { isHarnessError } from '../harness-errors.ts'
import { cancelPlan, endingOf } from '../plan-control.ts'
import { isWritten } from '../perform-actions.ts'
import { planName } from '../pure/concept-names.ts'
import { openPlanStatuses } from '../pure/plan-transitions.ts'
import { iso } from './pure/catch-up.ts'
import { nextDecision, type ScheduleDecision } from './pure/next-decision.ts'
import { decisionDraft, pauseScheduleDraft } from './pure/schedule-drafts.ts'
import { isServed } from './pure/schedule-transitions.ts'
import type { Slots } from './pure/slots.ts'
import type { Deed } from './schedule.ts'
import { asSchedule, type ScheduleHead } from './schedule-head.ts'
import { slotsOf } from './slots-of.ts'
import { scheduledPlan, type StartedPlan } from './start-scheduled-plan.ts'

/** Each round starts one plan. This many starts of one schedule are made before other work gets its turn. */
const mostRounds = 100
/** Another process wrote first: what it left is decided again, but not without end. */
const mostConflicts = 10

/** Repeats until nothing is due. Returns how many decisions were written. */
export async function attendSchedule(context: HarnessContext, id: string): Promise<number> {
  let [written, conflicts] = [0, 0]
  while (written < mostRounds && conflicts < mostConflicts) {
    const round = await attendOnce(context, id)
    if (round === 'nothing') break
    if (round === 'written') written += 1
    else conflicts += 1
  }
  return written
}

async function attendOnce(context: HarnessContext, id: string): Promise<'written' | 'conflict' | 'nothing'> {
  const { store, owner } = context
  const head = await store.log.latest(id, { owner })
  if (head === undefined || head.redacted) return 'nothing'
  const schedule = asSchedule(head)
  if (!isServed(schedule.payload.status)) return 'nothing'
  const slots = slotsIn(schedule)
  if (typeof slots === 'string') return pauseBroken(context, schedule, slots)
  const running = await runningPlans(context, schedule)
  const now = await store.work.now()
  const decision = nextDecision({ id, schedule: schedule.payload, slots, running, now })
  if (decision === undefined) return 'nothing'
  return perform(context, schedule, decision, running)
}

/** Its times, or why they cannot be read: another version of the program may have accepted the cron expression. */
function slotsIn({ payload }: ScheduleHead): Slots | string {
  try {
    return slotsOf(payload)
  } catch (error) {
    if (isHarnessError(error, 'INVALID_SCHEDULE')) return messageOf(error)
    throw error
  }
}

/** Otherwise every worker would fail on it again and again. */
async function pauseBroken(
  context: HarnessContext,
  schedule: ScheduleHead,
  reason: string,
): Promise<'written' | 'conflict'> {
  const draft = pauseScheduleDraft(schedule, { actor: context.actor, reason })
  return (await isWritten(context, [draft], { [schedule.id]: schedule.version })) ? 'written' : 'conflict'
}

/** The plans of the schedule that have not ended. */
export async function runningPlans(
  { store, owner }: HarnessContext,
  { payload: { running } }: ScheduleHead,
): Promise<readonly string[]> {
  if (running.length === 0) return []
  const query = { owner, ids: running, concepts: [planName], status: openPlanStatuses, limit: running.length }
  return (await store.log.scan(query)).nodes.map(({ id }) => id)
}

async function perform(
  context: HarnessContext,
  schedule: ScheduleHead,
  decision: ScheduleDecision,
  running: readonly string[],
): Promise<'written' | 'conflict'> {
  const { start } = decision
  const plan = start === undefined ? undefined : planOf(schedule, iso(start.slot))
  if (typeof plan === 'string') return write(context, schedule, { decision, running, failure: plan })
  try {
    return await write(context, schedule, { decision, running, plan })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return write(context, schedule, { decision, running, failure: messageOf(error) })
  }
}

/** The plan, or why it cannot be created. */
function planOf(schedule: ScheduleHead, slot: string): StartedPlan | string {
  try {
    return scheduledPlan(schedule, { slot })
  } catch (error) {
    if (isHarnessError(error)) return messageOf(error)
    throw error
  }
}

interface Round {
  readonly decision: ScheduleDecision
  readonly running: readonly string[]
  readonly plan?: StartedPlan | undefined
  /** Why the plan cannot be created. The schedule moves on, so that the other starts are made. */
  readonly failure?: string | undefined
}

async function write(
  context: HarnessContext,
  schedule: ScheduleHead,
  { decision, running, plan, failure }: Round,
): Promise<'written' | 'conflict'> {
  const { store, owner, actor } = context
  const cancelled = plan === undefined ? [] : decision.cancel
  const endings = await endingsOf(context, schedule, cancelled)
  const left = running.filter((id) => !cancelled.includes(id))
  const known = {
    running: plan === undefined ? left : [...left, plan.planId],
    did: deedOf(decision, { plan, failure }),
  }
  const drafts: Draft[] = [...endings.drafts, ...(plan?.drafts ?? []), decisionDraft(schedule, decision, known)]
  const expects = { ...endings.expects, [schedule.id]: schedule.version, ...(plan && { [plan.planId]: 0 }) }
  try {
    // A start that a power failure takes back is made again, with the same ids: the plan and the schedule are in one append.
    await store.log.append(drafts, { owner, actor, partition: schedule.partition, expects, durability: 'normal' })
  } catch (error) {
    if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
    if (plan === undefined || !(await isStarted(context, schedule, plan.planId))) return 'conflict'
    // The plan exists although the schedule has not moved on, for example because the store was restored. It is not started again.
    return write(context, schedule, { decision, running, failure: 'a plan for this time exists already' })
  }
  // The cancelled plans have ended. The plans that their steps started are cancelled now, or by the next worker that looks at them.
  for (const id of cancelled) await cancelPlan(context, id, replaced(schedule))
  return 'written'
}

async function isStarted({ store, owner }: HarnessContext, schedule: ScheduleHead, planId: string): Promise<boolean> {
  const [plan, now] = [await store.log.latest(planId, { owner }), await store.log.latest(schedule.id, { owner })]
  return plan !== undefined && now?.version === schedule.version
}

async function endingsOf(context: HarnessContext, schedule: ScheduleHead, ids: readonly string[]) {
  const drafts: Draft[] = []
  const expects: Record<string, number> = {}
  const by = replaced(schedule)
  for (const id of ids) {
    const head = await context.store.log.latest(id, { owner: context.owner })
    if (head === undefined) continue
    const ending = await endingOf(context, asPlan(head), { status: 'cancelled', errorMessage: by.reason }, by)
    drafts.push(...ending.drafts)
    Object.assign(expects, ending.expects)
  }
  return { drafts, expects }
}

function replaced({ payload }: ScheduleHead): { readonly actor: string; readonly reason: string } {
  return { actor: `schedule ${payload.name}`, reason: `the next start of the schedule ${payload.name} replaces it` }
}

function deedOf(
  { start, skipped, cancel }: ScheduleDecision,
  { plan, failure }: Pick<Round, 'plan' | 'failure'>,
): Deed {
  const left = skipped.length > 0 ? { skipped: [...skipped] } : {}
  if (start === undefined) return left
  const slot = iso(start.slot)
  if (plan === undefined) return { ...left, failed: { slot, message: failure ?? 'the plan was not created' } }
  const cancelled = cancel.length > 0 ? { cancelled: [...cancel] } : {}
  return { ...left, ...cancelled, started: { slot, planId: plan.planId, as: start.as } }
}

/** The store refuses the content of the plan, and will refuse it again. */
function isRefusal(error: unknown): boolean {
  return refusals.some((code) => isNodesError(error, code)) || isHarnessError(error)
}

const refusals = ['INVALID_PAYLOAD', 'GUARD_REFUSED', 'RELATION_REFUSED', 'INVALID_ID', 'OWNER_REFUSED'] as const

function messageOf(error: unknown): string {
  return redactSecrets(error instanceof Error ? error.message : String(error))
}
