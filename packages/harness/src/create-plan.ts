/** Writes a plan and all its steps in one append: a worker sees the whole plan or none of it. */
import { isNodesError } from '@agentm/nodes'
import { type HarnessContext, type PlanHead, readPlan } from './harness-context.ts'
import type { CreatedPlan, NewPlan, PlanContent } from './new-plan.ts'
import { planDrafts } from './plan-content.ts'
import { versionsOf } from './plan-control.ts'
import { checkSame } from './same-plan.ts'

export async function createPlan(
  context: HarnessContext,
  request: NewPlan & { readonly id: string },
  expects: Readonly<Record<string, number>> = {},
): Promise<CreatedPlan> {
  const parent = request.startedBy && (await readPlan(context, request.startedBy.planId))
  const { planId, steps, drafts } = planDrafts({ ...request, ...pausedWith(parent) })
  const { owner, actor, store } = context
  const partition = request.partition === undefined ? {} : { partition: request.partition }
  // Expects the version of the parent that was read. Whoever pauses or resumes the parent at the same time then either finds this
  // plan or is noticed here.
  const known = { ...expects, ...(parent && versionsOf([parent])), [planId]: 0 }
  try {
    await store.log.append(drafts, { owner, actor, ...partition, expects: known })
    return { planId, steps, created: true }
  } catch (error) {
    if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
    if ((await store.log.latest(planId, { owner })) === undefined) {
      if (parent === undefined || (await readPlan(context, parent.id)).version === parent.version) throw error
      return createPlan(context, request, expects)
    }
    await checkSame(context, planId, request, steps)
    return { planId, steps, created: false }
  }
}

/** A plan that starts below a paused plan is paused, too. */
function pausedWith(parent: PlanHead | undefined): Pick<PlanContent, 'paused'> {
  if (parent?.payload.paused !== true) return {}
  const { actor, reason } = parent.payload
  return { paused: { ...(actor !== undefined && { actor }), ...(reason !== undefined && { reason }) } }
}
