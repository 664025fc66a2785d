/**
 * Performs what was decided. Every write expects the version that the decision was based on. If another process wrote first, the
 * write is refused, and the decision is made again.
 */
import { type Draft, isNodesError, scanAll } from '@agentm/nodes'
import { type HarnessContext, readPlan, untilUncontested } from './harness-context.ts'
import { lookAtPlan } from './look-at-plan.ts'
import { cancelPlan, endingOf, versionsOf } from './plan-control.ts'
import { observationName } from './pure/concept-names.ts'
import { actionDrafts, isStepAction, type StepAction } from './pure/action-drafts.ts'
import type { Overrun } from './pure/budget-verdict.ts'
import { type Action, nextActions } from './pure/next-actions.ts'
import { drainDraft, endPlanDraft, startPlanDraft } from './pure/plan-drafts.ts'
import { freedDraft } from './pure/step-drafts.ts'
import type { PlanView } from './pure/plan-view.ts'

export interface Performed {
  /** How many of the actions were written. For the others, another process wrote first. */
  readonly written: number
  /** Whether the whole plan must be looked at. */
  readonly look: boolean
}

export async function performActions(
  context: HarnessContext,
  view: PlanView,
  actions: readonly Action[],
): Promise<Performed> {
  const steps = actions.filter(isStepAction)
  let written = await performTogether(context, view, steps)
  for (const action of actions) if (!isStepAction(action)) written += await performOne(context, view, action)
  return { written, look: actions.some((action) => action.do === 'look') }
}

async function performTogether(
  context: HarnessContext,
  view: PlanView,
  actions: readonly StepAction[],
): Promise<number> {
  if (actions.length === 0) return 0
  const drafts = actions.flatMap((action) => actionDrafts(action, view.now))
  if (await isWritten(context, drafts, versionsOf(actions.map(({ step }) => step)))) return actions.length
  const left = await unmoved(context, actions)
  return left.length < actions.length ? performTogether(context, view, left) : 0
}

/**
 * The actions whose step still has the version they were decided on. Thousands of steps may have changed at once, when another
 * process freed them.
 */
async function unmoved(
  { store, owner }: HarnessContext,
  actions: readonly StepAction[],
): Promise<readonly StepAction[]> {
  if (actions.length === 1) return []
  const heads = await scanAll(store.log, { owner, ids: actions.map(({ step }) => step.id) })
  const versions = new Map(heads.map(({ id, version }) => [id, version]))
  return actions.filter(({ step }) => versions.get(step.id) === step.version)
}

async function performOne(
  context: HarnessContext,
  view: PlanView,
  action: Exclude<Action, StepAction>,
): Promise<number> {
  const { plan, now } = view
  switch (action.do) {
    case 'start':
      return (await isWritten(context, [startPlanDraft(plan, now)], versionsOf([plan]))) ? 1 : 0
    case 'drain':
      return (await isWritten(context, [drainDraft(plan, action.overrun)], versionsOf([plan]))) ? 1 : 0
    case 'cancel':
      await cancelPlan(context, plan.id, { actor: context.actor, reason: action.reason })
      return 1
    case 'settle':
      return (await isWritten(context, [settleDraft(view, action)], versionsOf([plan, ...undone(view)]))) ? 1 : 0
    case 'halt':
      return (await halt(context, view)) ? 1 : 0
    default:
      return 0
  }
}

/** Decides again from the whole plan as it is now. Its last step may have succeeded in between; then the plan is done, not failed. */
async function halt(context: HarnessContext, { plan: { id }, now }: PlanView): Promise<boolean> {
  return untilUncontested(async () => {
    const view = await lookAtPlan(context, id, { now })
    const action = view && nextActions(view).find((each) => each.do === 'halt')
    if (view === undefined || action === undefined) return false
    const { drafts, expects } = await endingOf(context, view.plan, { status: 'failed', errorMessage: action.message })
    const { store, owner, actor } = context
    const { partition } = await readPlan(context, id)
    await store.log.append([...drafts, haltDraft({ planId: id, ...action })], {
      owner,
      actor,
      partition,
      expects: { ...expects, ...versionsOf([view.plan, ...undone(view)]) },
    })
    return true
  })
}

function settleDraft(view: PlanView, { status }: Extract<Action, { do: 'settle' }>): Draft {
  const result = { steps: view.counts }
  const errorMessage = status === 'failed' ? { errorMessage: failedMessage(view) } : {}
  return endPlanDraft(view.plan, { status, at: view.now, result, ...errorMessage })
}

/** Steps that are not done. A verdict stays valid as long as none of them is retried or skipped; a done step never changes. */
function undone({ steps }: PlanView): PlanView['steps'] {
  return steps.filter(({ payload }) => payload.status !== 'done')
}

/** `false` if another process wrote first. */
export async function isWritten(
  { store, owner, actor }: HarnessContext,
  drafts: readonly Draft[],
  expects: Readonly<Record<string, number>>,
): Promise<boolean> {
  try {
    await store.log.append(drafts, { owner, actor, expects, durability: 'normal', freed: freedDraft })
    return true
  } catch (error) {
    if (isNodesError(error, 'VERSION_CONFLICT')) return false
    throw error
  }
}

function failedMessage({ steps }: PlanView): string {
  const failed = steps.filter(({ payload }) => payload.status === 'failed')
  const [first] = failed
  if (first === undefined) return 'none of the steps that are left can be done'
  const { title, errorMessage } = first.payload
  const others = failed.length > 1 ? ` (and ${failed.length - 1} more)` : ''
  return `"${title}" failed${errorMessage === undefined ? '' : `: ${errorMessage}`}${others}`
}

/** The record of why a plan was stopped. It belongs to the plan as a whole. */
export function haltDraft({
  planId,
  overrun,
  message,
}: {
  readonly planId: string
  readonly overrun: Overrun
  readonly message: string
}): Draft {
  const { limit, used, allowed } = overrun
  const data = { choice: 'halt_plan', rationale: message, limit, used, allowed }
  return {
    concept: observationName,
    payload: { planId, kind: 'decision', content: message, data },
    mutation: 'recordHarnessObservation',
  }
}
