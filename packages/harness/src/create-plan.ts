/**
 * Writes a plan and all its steps in one append: a worker sees the whole plan or none of it. Steps without dependencies are ready
 * in the same append, so that a worker can claim them at once.
 */
import {
  AbsentNodeError,
  deriveId,
  type Draft,
  isNodesError,
  redactFields,
  redactSecrets,
  scanAll,
} from '@agentm/nodes'
import { isDeepStrictEqual } from 'node:util'
import { checkProblem, checkSchema, type NewCheck } from './checks/check.ts'
import { planCheckProblem, withPlanCheck } from './checks/pure/with-plan-check.ts'
import type { Debounce } from './flow/debounce.ts'
import { type FlowFields, flowFields, type FlowOptions, flowProblems } from './flow/flow-fields.ts'
import {
  asStep,
  type HarnessContext,
  planIdOf,
  type PlanHead,
  readPlan,
  readStep,
  stepIdOf,
} from './harness-context.ts'
import { IdempotencyConflictError, InvalidPlanError, PlanOverError } from './harness-errors.ts'
import { type Budget, plan as planConcept, type Plan, type PlanTrees } from './plan.ts'
import { isPlanOver } from './pure/plan-transitions.ts'
import { type ByHand, extendPlanDraft } from './pure/plan-drafts.ts'
import { readyDraft } from './pure/step-drafts.ts'
import { step as stepConcept, type Step } from './step.ts'
import { mergeKindName } from './trees/pure/merge-kind-name.ts'
import { versionsOf } from './plan-control.ts'

/** The fields of a new step. */
export interface NewStep
  extends
    Partial<
      Pick<Step, 'kind' | 'nature' | 'onUnknown' | 'input' | 'timeoutMs' | 'tree' | 'assignedAgent' | 'idempotencyKey'>
    >,
    FlowOptions {
  /**
   * The name of the step within its plan. Other steps name it in their dependencies. Adding a step with the same key again gives
   * the same step.
   */
  readonly key: string
  readonly title: string
  readonly dependsOn?: readonly string[]
  readonly retry?: Partial<NonNullable<Step['retry']>>
  /** What must pass before the step is done. */
  readonly check?: NewCheck
}

/**
 * A plan to create: its goal and all its steps. It is written in one append, so a worker sees the whole plan or none of
 * it.
 */
export interface NewPlan {
  /** The id of the plan (default: a new one). Creating it again with the same content returns the existing plan. */
  readonly id?: string
  readonly goal: string
  readonly steps: readonly NewStep[]
  readonly input?: Plan['input']
  readonly budget?: Budget
  /** Where its steps work (default: the working folder). A last step then merges what they changed; see `openTrees`. */
  readonly trees?: PlanTrees
  /**
   * What must pass, once all steps are done, before the plan is done. In a plan of one step it is the check of that step. No step can
   * be added to such a plan.
   */
  readonly check?: NewCheck
  /** The project it belongs to. */
  readonly partition?: string
  /** Further calls with the same key before the start replace goal and inputs, and push the start back. */
  readonly debounce?: Debounce
  /** The running step that starts this plan. Usage of this plan counts in that step's plan, too. When that step ends, this plan ends. */
  readonly startedBy?: { readonly planId: string; readonly stepId: string }
}

/** A plan that follows another one for the same goal, with the number of times the goal was replanned since it was last started. */
export interface PlanContent extends NewPlan {
  readonly follows?: string
  readonly revision?: number
  /** The plan starts paused: no step is claimed before it is resumed. The value says who paused it, and why. */
  readonly paused?: ByHand
  /** The schedule that starts it, and the time of the schedule that it is started for. */
  readonly scheduled?: { readonly scheduleId: string; readonly scheduledFor: string }
}

export interface CreatedPlan {
  readonly planId: string
  /** The ids of the steps, by key. */
  readonly steps: Readonly<Record<string, string>>
  /** `false` if the same plan already existed. */
  readonly created: boolean
}

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

/** The drafts of a plan and its steps, for callers that add more nodes to the same append. */
export function planDrafts(request: PlanContent & { readonly id: string }): {
  readonly planId: string
  readonly steps: Readonly<Record<string, string>>
  readonly drafts: readonly Draft[]
} {
  const planId = planIdOf(request.id)
  const problem = planCheckProblem(request) ?? (request.check && checkProblem(request.check))
  if (problem !== undefined) throw new InvalidPlanError([problem])
  const whole = { ...request, steps: wholeSteps(request) }
  const steps = stepIdsOf(planId, whole.steps)
  return { planId, steps, drafts: draftsOf(planId, whole, steps) }
}

/**
 * The steps, the one that merges what they changed apart from each other, and the check of the plan. In a plan of one step the check is
 * that step's; in any other it is last, and looks at the merged result.
 */
function wholeSteps(request: NewPlan): readonly NewStep[] {
  const [first, then] = request.steps.length === 1 ? [withPlanCheck, withMergeStep] : [withMergeStep, withPlanCheck]
  return then({ ...request, steps: first(request) })
}

function withMergeStep({ trees, steps }: NewPlan): readonly NewStep[] {
  if (trees === undefined) return steps
  const keys = steps.map(({ key }) => key)
  const key = keys.includes('merge') ? 'merge-results' : 'merge'
  return [...steps, { key, title: 'Merge what the steps changed', kind: mergeKindName, dependsOn: keys }]
}

/** Adds one step to a plan that has not ended. The same key with the same content returns the existing step. */
export async function addStep(
  context: HarnessContext,
  { planId, step }: { readonly planId: string; readonly step: NewStep },
): Promise<{ readonly stepId: string; readonly created: boolean }> {
  const { owner, actor, store } = context
  const problems = ownProblems(step)
  if (problems.length > 0) throw new InvalidPlanError(problems)
  const plan = await readPlan(context, planId)
  const stepId = stepIdIn(plan.id, step.key)
  const dependsOn = (step.dependsOn ?? []).map((id) => stepIdOf(id))
  const known = await store.log.latest(stepId, { owner })
  if (known !== undefined) {
    if (!isSameStep(asStep(known).payload, contentOf(plan.id, step, dependsOn)))
      throw new IdempotencyConflictError(stepId)
    return { stepId, created: false }
  }
  if (isPlanOver(plan.payload.status)) throw new PlanOverError(plan.id, plan.payload.status)
  // Its check depends on the steps that it knew, so it would say nothing about this one.
  if (plan.payload.check !== undefined)
    throw new InvalidPlanError(['its check would not cover another step. Start another plan for it'])
  const open = await openSiblings(context, plan.id, dependsOn)
  const drafts = [
    // The plan gets a new version, too, because a worker that is about to end it has not counted this step.
    extendPlanDraft(plan),
    stepDraft(stepId, contentOf(plan.id, step, dependsOn)),
    ...(open === 0 ? [ready(stepId)] : []),
  ]
  await store.log.append(drafts, {
    owner,
    actor,
    partition: plan.partition,
    expects: { [stepId]: 0, [plan.id]: plan.version },
  })
  return { stepId, created: true }
}

export function stepIdIn(planId: string, key: string): string {
  return deriveId(stepConcept.name, planId, key)
}

function stepIdsOf(planId: string, steps: readonly NewStep[]): Record<string, string> {
  const problems: string[] = []
  const ids: Record<string, string> = Object.create(null)
  for (const { key } of steps) {
    if (key.trim() === '') problems.push('a step has no key')
    else if (key in ids) problems.push(`two steps have the key ${JSON.stringify(key)}`)
    ids[key] = stepIdIn(planId, key)
  }
  for (const step of steps)
    problems.push(...ownProblems(step).map((problem) => `step ${JSON.stringify(step.key)}: ${problem}`))
  for (const { key, dependsOn = [] } of steps)
    for (const other of dependsOn)
      if (!(other in ids))
        problems.push(`${JSON.stringify(key)} depends on ${JSON.stringify(other)}, which is no step of this plan`)
  if (problems.length > 0) throw new InvalidPlanError(problems)
  return { ...ids }
}

/** Problems that have nothing to do with other steps. */
function ownProblems(step: NewStep): readonly string[] {
  const problem = step.check === undefined ? undefined : checkProblem(step.check)
  return [...flowProblems(step), ...(problem === undefined ? [] : [problem])]
}

function draftsOf(planId: string, request: PlanContent, ids: Readonly<Record<string, string>>): readonly Draft[] {
  const roots = request.steps.filter(({ dependsOn = [] }) => dependsOn.length === 0)
  return [
    planDraft(planId, request, roots.length === 1 ? ids[roots[0]?.key ?? ''] : undefined),
    ...request.steps.map((step) => stepDraft(ids[step.key] ?? '', contentIn(planId, step, ids))),
    ...roots.map(({ key }) => ready(ids[key] ?? '')),
  ]
}

function planDraft(id: string, request: PlanContent, rootStepId: string | undefined): Draft {
  const { goal, input, budget, trees, check, startedBy, follows, revision, paused, scheduled } = request
  const payload = {
    goal,
    ...(input && { input }),
    ...(budget && { budget }),
    ...(trees && { trees }),
    ...checkOf(check),
    ...(rootStepId !== undefined && { rootStepId }),
    ...(startedBy && { parentPlanId: startedBy.planId, parentStepId: startedBy.stepId }),
    ...(follows !== undefined && { follows }),
    ...(revision !== undefined && { revision }),
    ...(paused && { ...paused, paused: true }),
    ...scheduled,
  }
  return { concept: planConcept.name, id, payload, mutation: 'createHarnessPlan' }
}

type StepContent = Omit<NewStep, 'key' | 'dependsOn' | 'check' | keyof FlowOptions> &
  FlowFields &
  Pick<Step, 'check'> & {
    readonly planId: string
    readonly idempotencyKey: string
    readonly dependsOn: readonly string[]
  }

function contentIn(planId: string, step: NewStep, ids: Readonly<Record<string, string>>): StepContent {
  return contentOf(
    planId,
    step,
    (step.dependsOn ?? []).map((key) => ids[key] ?? ''),
  )
}

function contentOf(planId: string, { key, check, ...given }: NewStep, dependsOn: readonly string[]): StepContent {
  const { limit: _limit, rate: _rate, startAt: _startAt, delay: _delay, expiresIn: _expiresIn, ...step } = given
  // The key is unique within the plan. With the plan's id before it, it is unique on every server that gets it. A step that
  // continues the work of another plan brings the key of that plan.
  const { idempotencyKey = stepIdIn(planId, key).slice(-32) } = step
  return {
    ...step,
    ...checkOf(check),
    ...flowFields(given),
    planId,
    dependsOn: [...new Set(dependsOn)],
    idempotencyKey,
  }
}

/** With its default values, so that the same check is the same however it is written. */
function checkOf(check: NewCheck | undefined): Pick<Step, 'check'> {
  return check === undefined ? {} : { check: checkSchema.parse(check) }
}

function stepDraft(id: string, payload: StepContent): Draft {
  return { concept: stepConcept.name, id, payload: { ...payload }, mutation: 'addHarnessStep' }
}

function ready(id: string): Draft {
  return readyDraft({ id })
}

/** How many of the dependencies are not done. Each must be a step of this plan. */
async function openSiblings(context: HarnessContext, planId: string, ids: readonly string[]): Promise<number> {
  let open = 0
  for (const id of ids) {
    const { payload } = await readStep(context, id)
    if (payload.planId !== planId) throw new AbsentNodeError(id)
    if (payload.status !== 'done') open += 1
  }
  return open
}

async function checkSame(
  context: HarnessContext,
  planId: string,
  request: NewPlan,
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  const plan = await readPlan(context, planId)
  const { goal, input, budget } = plan.payload
  if (goal !== redactSecrets(request.goal) || !isDeepStrictEqual([input, budget], [request.input, request.budget]))
    throw new IdempotencyConflictError(planId)
  const { store, owner } = context
  const known = new Map(
    (await scanAll(store.log, { owner, parent: planId, concepts: [stepConcept.name] })).map((head) => [
      head.id,
      asStep(head),
    ]),
  )
  for (const step of wholeSteps(request)) {
    const payload = known.get(ids[step.key] ?? '')?.payload
    if (payload === undefined || !isSameStep(payload, contentIn(planId, step, ids)))
      throw new IdempotencyConflictError(planId)
  }
}

/** Compares in the stored form, because secrets are masked before they are stored. */
export function isSameStep(known: Step, content: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(redactFields({ ...content }, stepConcept.verbatim)).every(([field, value]) =>
    isSame(known[field as keyof Step], value),
  )
}

/** The stored value may have more fields, because the schema adds its defaults. */
function isSame(known: unknown, given: unknown): boolean {
  if (given === undefined || isDeepStrictEqual(known, given)) return true
  return isRecord(known) && isRecord(given) && isDeepStrictEqual({ ...known, ...given }, known)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
