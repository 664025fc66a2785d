import type { Workspace } from '@agentm/workspace'
import type { Changed } from '../contract/frame.ts'
import type { PlanChange } from '../contract/plans.ts'
import { short } from '../pure/short.ts'

type Plans = Awaited<ReturnType<Workspace['plans']>>

/** Does what the person asked for, in the name of the owner. The log records who and why. */
export async function makePlanChange(
  { harness, owner }: Pick<Plans, 'harness' | 'owner'>,
  change: PlanChange,
): Promise<Changed> {
  const by = { actor: owner, ...(change.reason !== undefined && { reason: change.reason }) }
  switch (change.do) {
    case 'pause':
      await harness.pausePlan(change.planId, by)
      return { message: 'Paused. Running steps are notified; no other step starts.' }
    case 'resume':
      await harness.resumePlan(change.planId, by)
      return { message: 'Resumed.' }
    case 'cancel':
      return { message: cancelled(await harness.cancelPlan(change.planId, by)) }
    case 'retry':
      return retryPlan(harness, change.planId, by)
    case 'retry-step':
      return sentAgain(await harness.sendAgain(change.stepId, by))
    case 'fork':
      return forked(harness, change, by)
    case 'skip':
      await harness.skipStep(change.stepId, by)
      return { message: 'Skipped: the step counts as done.' }
    default:
      return answerStep(harness, change, by)
  }
}

async function answerStep(
  harness: Plans['harness'],
  { stepId, questionId, value }: PlanChange & { readonly do: 'answer' },
  by: { readonly actor: string; readonly reason?: string },
): Promise<Changed> {
  const { accepted, answer } = await harness.answer(stepId, { questionId, value, ...by })
  if (accepted) return { message: `Answered ${value}.` }
  return { message: `${answer.actor} already answered ${answer.value}, and the first answer counts.` }
}

function cancelled(status: string): string {
  if (status === 'cancelled') return 'Cancelled.'
  if (status === 'running') return 'Asked the plan to cancel itself. Cancel it again to end it at once.'
  return `The plan was not cancelled: it is already ${status}.`
}

async function retryPlan(
  harness: Plans['harness'],
  planId: string,
  by: { readonly actor: string; readonly reason?: string },
): Promise<Changed> {
  const letters = await harness.deadLetters(planId)
  const [first, ...others] = letters
  if (first === undefined)
    return { message: 'No step of this plan has failed permanently, so there is nothing to retry.' }
  const sent = await harness.sendAgain(first.stepId, by)
  // A plan that has ended gets one new plan for all of its failed steps.
  for (const { stepId } of others) await harness.sendAgain(stepId, by)
  return sentAgain(sent, letters.length)
}

function sentAgain({ planId, created }: { readonly planId: string; readonly created: boolean }, count = 1): Changed {
  const steps = count === 1 ? 'The step is' : `${count} steps are`
  return {
    message: created ? `${steps} ready again.` : `${steps} already sent again.`,
    next: `/plans/${encodeURIComponent(short(planId))}`,
  }
}

/** The page shows masks in place of secrets, and a step cannot run with a mask. */
class MaskedInputError extends Error {
  readonly code = 'FORK_REFUSED'
  constructor(name: string) {
    super(`${name} has a mask in place of a secret. Write the secret itself, or leave ${name} as it was.`)
  }
}

async function forked(
  harness: Plans['harness'],
  { planId, stepId, id, input, stepInput }: PlanChange & { readonly do: 'fork' },
  by: { readonly actor: string; readonly reason?: string },
): Promise<Changed> {
  for (const [name, text] of Object.entries({ ...input, ...stepInput }))
    if (text.includes('[redacted')) throw new MaskedInputError(name)
  const fork = await harness.forkPlan(planId, {
    ...by,
    id,
    ...(stepId !== undefined && { from: stepId }),
    ...(Object.keys(input).length > 0 && { input }),
    ...(Object.keys(stepInput).length > 0 && { stepInput }),
  })
  const kept =
    fork.carried === 0 ? '' : ` ${fork.carried === 1 ? '1 step was' : `${fork.carried} steps were`} carried over.`
  return {
    message: `${fork.created ? 'This is the new plan.' : 'This plan was already made.'}${kept} A worker runs it.`,
    next: `/plans/${encodeURIComponent(short(fork.planId))}`,
  }
}
