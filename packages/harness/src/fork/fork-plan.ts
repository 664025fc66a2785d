/**
 * Runs a plan again from one of its steps, as a new plan: what does not depend on that step and is done is carried over with its result,
 * and the rest runs anew. Plan, steps and carried records are one append, so a fork is whole or absent.
 */
import { isNodesError, type Node } from '@agentm/nodes'
import { isDeepStrictEqual } from 'node:util'
import { asPlan, type HarnessContext, type PlanHead, planIdOf, readPlan } from '../harness-context.ts'
import { ForkRefusedError, IdempotencyConflictError } from '../harness-errors.ts'
import { stepInputs } from '../kinds/step-inputs.ts'

import { stepsOf } from '../status/plan-standing.ts'
import type { Step } from '../step.ts'
import { findForkPoint, type ForkPoint } from './find-fork-point.ts'
import type { ForkedPlan, NewFork } from './new-fork.ts'
import { carriedEntries, takenBack } from './pure/carried-entries.ts'
import { decideFork, type ForkDecision } from './pure/decide-fork.ts'
import { forkDrafts, forkIds, type ForkPlan } from './pure/fork-drafts.ts'
import { planInputOf, stepInputOf } from './pure/fork-inputs.ts'
import { stepKeys } from './pure/step-keys.ts'
import { stepsAsWritten } from './steps-as-written.ts'

interface Source {
  readonly plan: PlanHead
  readonly steps: readonly Node<Step>[]
  readonly keys: ReadonlyMap<string, string>
  readonly point: ForkPoint | undefined
}

export async function forkPlan(
  context: HarnessContext,
  planId: string,
  request: NewFork & { readonly id: string },
): Promise<ForkedPlan> {
  const source = await readSource(context, planId, request)
  const { store, owner, actor } = context
  const { plan, steps, point } = source
  const id = planIdOf(request.id)
  const input = changedInput(source, request)
  const known = await store.log.latest(id, { owner })
  if (known !== undefined) return sameFork(context, asPlan(known), { source, ...input })
  checkReadable(source)
  const decision = decideFork(steps, point?.step.id)
  const fork = { id, decision, by: request, ...input, ...replayedBy(source, request, await startOf(context, plan)) }
  await carryTrees(context, source, { request, fork })
  const carried = steps.filter((step) => decision.carried.has(step.id))
  // Expects the versions that were read, so that nothing is carried over that somebody erases meanwhile.
  const expects = { ...Object.fromEntries(carried.map((step) => [step.id, step.version])), [id]: 0 }
  try {
    await store.log.append(forkDrafts(source, fork), { owner, actor, partition: plan.partition, expects })
  } catch (error) {
    if (!isNodesError(error, 'VERSION_CONFLICT') || (await store.log.latest(id, { owner })) === undefined) throw error
    return forkPlan(context, planId, request)
  }
  return answer(source, { id, decision, created: true })
}

async function readSource(context: HarnessContext, planId: string, { from }: NewFork): Promise<Source> {
  const plan = await readPlan(context, planId)
  if (plan.redacted) throw new ForkRefusedError(plan.id, ['its content was erased'])
  const steps = await stepsAsWritten(context, plan.id)
  const readable = steps.filter(({ redacted }) => !redacted)
  const keys = new Map([
    ...steps.map(({ id }) => [id, id.slice(id.lastIndexOf(':') + 1)] as const),
    ...stepKeys(plan.id, readable),
  ])
  const point =
    from === undefined ? undefined : await findForkPoint(context, { planId: plan.id, words: from, steps, keys })
  return { plan, steps, keys, point }
}

/** A fork needs the inputs of all its steps and the results of those that it carries over. */
function checkReadable({ plan, steps, keys }: Source): void {
  const erased = steps.filter(({ redacted }) => redacted)
  if (erased.length === 0) return
  const names = erased.map(({ id }) => keys.get(id) ?? id)
  throw new ForkRefusedError(plan.id, [`the content of ${names.join(', ')} was erased, and a fork needs it`])
}

function changedInput(
  { plan, point }: Source,
  { input, stepInput, inputSchemas = stepInputs }: NewFork,
): Pick<ForkPlan, 'input' | 'from'> {
  const ofPlan = planInputOf(plan.payload, input)
  const ofStep = point && stepInputOf(point.step.payload, stepInput, inputSchemas)
  const problems = [...ofPlan.problems, ...(ofStep?.problems ?? [])]
  if (stepInput !== undefined && point === undefined)
    problems.push('an input of a step changes only for the step that is run again from. Name it')
  if (stepInput !== undefined && point?.recorded !== undefined)
    problems.push(
      'what its function recorded came from the input it had. Change the input, or go on from inside, not both',
    )
  if (problems.length > 0) throw new ForkRefusedError(plan.id, problems)
  return { input: ofPlan.input, ...(point && { from: { id: point.step.id, input: ofStep?.input } }) }
}

async function startOf({ store, owner }: HarnessContext, plan: PlanHead): Promise<number> {
  const [first] = await store.log.history(plan.id, { owner, limit: 1 })
  return first?.createdAt ?? plan.createdAt
}

function replayedBy({ plan, point }: Source, { from = '' }: NewFork, began: number): Pick<ForkPlan, 'replayed'> {
  if (point?.recorded === undefined || point.position === undefined) return {}
  const { step, recorded, position } = point
  const gone = takenBack(recorded, position)
  if (gone.length > 0)
    throw new ForkRefusedError(plan.id, [
      `before ${JSON.stringify(from)} it did ${gone.join(', ')}, and took that back later. Run it again from ${JSON.stringify(gone[0])}`,
    ])
  if (plan.payload.trees !== undefined)
    throw new ForkRefusedError(plan.id, [
      `what the plans inside ${JSON.stringify(step.payload.title)} changed in their trees cannot be split. Run again from that step`,
    ])
  const replays = step.payload.replays ?? { planId: plan.id, stepId: step.id, startedAt: began }
  return { replayed: { entries: carriedEntries(recorded, position), replays } }
}

/** Refuses a plan whose steps share trees, or work in those of another plan: what one of them changed cannot be told apart. */
async function carryTrees(
  context: HarnessContext,
  { plan, steps, keys }: Source,
  { request, fork }: { readonly request: NewFork; readonly fork: ForkPlan },
): Promise<void> {
  const above = await plansAbove(context, plan)
  const inside = above.find(({ payload }) => payload.trees !== undefined)
  if (plan.payload.trees === undefined && inside !== undefined)
    throw new ForkRefusedError(plan.id, [`its steps work in the trees of ${inside.id}. Run that plan again instead`])
  const carried = steps.filter(({ id }) => fork.decision.carried.has(id))
  if (plan.payload.trees === undefined || carried.length === 0) return
  const shared = carried.filter(({ payload }) => payload.tree !== undefined)
  if (plan.payload.trees.mode === 'shared' || shared.length > 0)
    throw new ForkRefusedError(plan.id, [
      'its steps share a tree, so what the carried steps changed cannot be told from the rest. Run it again from the beginning',
    ])
  if (request.carryTrees === undefined)
    throw new ForkRefusedError(plan.id, [
      'its steps work in trees, which only a program that opens them can carry over. Run it again from the beginning',
    ])
  const idOf = forkIds({ keys }, fork.id)
  await request.carryTrees({
    owner: context.owner,
    from: plan.id,
    to: fork.id,
    steps: carried.map(({ id, payload }) => ({ title: payload.title, from: id, to: idOf(id) })),
  })
}

async function plansAbove(context: HarnessContext, plan: PlanHead): Promise<readonly PlanHead[]> {
  const above: PlanHead[] = []
  for (let id = plan.payload.parentPlanId; id !== undefined;) {
    const next = await readPlan(context, id)
    above.push(next)
    id = next.payload.parentPlanId
  }
  return above
}

interface Wanted extends Pick<ForkPlan, 'input' | 'from'> {
  readonly source: Source
}

/** The fork that is there, if it was made of the same plan, from the same step, with the same inputs. Others may be done by now. */
async function sameFork(context: HarnessContext, plan: PlanHead, { source, input, from }: Wanted): Promise<ForkedPlan> {
  const { forkedFrom, forkedAt } = plan.payload
  const idOf = forkIds(source, plan.id)
  const at = from && idOf(from.id)
  const steps = await stepsOf(context, plan.id)
  const chosen = steps.find(({ id }) => id === at)?.payload
  const isSame =
    !plan.redacted &&
    forkedFrom === source.plan.id &&
    forkedAt === at &&
    isDeepStrictEqual(plan.payload.input, input) &&
    isDeepStrictEqual(chosen?.input, from?.input) &&
    (chosen?.replays !== undefined) === (source.point?.recorded !== undefined)
  if (!isSame) throw new IdempotencyConflictError(plan.id)
  const carried = new Set(steps.flatMap(({ payload }) => asCarried(payload)))
  return answer(source, { id: plan.id, decision: { carried, anew: new Set() }, created: false })
}

function asCarried({ carriedFrom }: Step): readonly string[] {
  return carriedFrom === undefined ? [] : [carriedFrom.stepId]
}

function answer(
  { plan, keys, point }: Source,
  { id, decision, created }: { readonly id: string; readonly decision: ForkDecision; readonly created: boolean },
): ForkedPlan {
  const idOf = forkIds({ keys }, id)
  return {
    planId: id,
    steps: Object.fromEntries([...keys].map(([stepId, key]) => [key, idOf(stepId)])),
    created,
    forkedFrom: plan.id,
    ...(point && { forkedAt: idOf(point.step.id) }),
    carried: decision.carried.size,
  }
}
