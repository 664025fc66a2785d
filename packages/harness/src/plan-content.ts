/**
 * What is written of a new plan and its steps. Steps without dependencies are ready in the same append, so that a worker can claim
 * them at once.
 */
import type { Draft } from '@agentm/nodes'
import { checkProblem, checkSchema, type NewCheck } from './checks/check.ts'
import { planCheckProblem, withPlanCheck } from './checks/pure/with-plan-check.ts'
import { type FlowFields, flowFields, type FlowOptions, flowProblems } from './flow/flow-fields.ts'
import { planIdOf } from './harness-context.ts'
import { InvalidPlanError } from './harness-errors.ts'
import type { NewPlan, NewStep, PlanContent } from './new-plan.ts'
import { plan as planConcept } from './plan.ts'
import { readyDraft } from './pure/step-drafts.ts'
import { stepIdIn } from './pure/step-id-in.ts'
import { step as stepConcept, type Step } from './step.ts'
import { mergeKindName } from './trees/pure/merge-kind-name.ts'

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
export function wholeSteps(request: NewPlan): readonly NewStep[] {
  const [first, then] = request.steps.length === 1 ? [withPlanCheck, withMergeStep] : [withMergeStep, withPlanCheck]
  return then({ ...request, steps: first(request) })
}

function withMergeStep({ trees, steps }: NewPlan): readonly NewStep[] {
  if (trees === undefined) return steps
  const keys = steps.map(({ key }) => key)
  const key = keys.includes('merge') ? 'merge-results' : 'merge'
  return [...steps, { key, title: 'Merge what the steps changed', kind: mergeKindName, dependsOn: keys }]
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
export function ownProblems(step: NewStep): readonly string[] {
  const problem = step.check === undefined ? undefined : checkProblem(step.check)
  return [...flowProblems(step), ...(problem === undefined ? [] : [problem])]
}

function draftsOf(planId: string, request: PlanContent, ids: Readonly<Record<string, string>>): readonly Draft[] {
  const roots = request.steps.filter(({ dependsOn = [] }) => dependsOn.length === 0)
  return [
    planDraft(planId, request, roots.length === 1 ? ids[roots[0]?.key ?? ''] : undefined),
    ...request.steps.map((step) => stepDraft(ids[step.key] ?? '', step.key, contentIn(planId, step, ids))),
    ...roots.map(({ key }) => readyDraft({ id: ids[key] ?? '' })),
  ]
}

function planDraft(id: string, request: PlanContent, rootStepId: string | undefined): Draft {
  const { goal, input, inputs, budget, trees, check, startedBy, follows, revision, paused, scheduled } = request
  const payload = {
    goal,
    ...(input && { input }),
    ...(inputs && { inputs }),
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

export type StepContent = Omit<NewStep, 'key' | 'dependsOn' | 'check' | keyof FlowOptions> &
  FlowFields &
  Pick<Step, 'check'> & {
    readonly planId: string
    readonly idempotencyKey: string
    readonly dependsOn: readonly string[]
  }

export function contentIn(planId: string, step: NewStep, ids: Readonly<Record<string, string>>): StepContent {
  return contentOf(
    planId,
    step,
    (step.dependsOn ?? []).map((key) => ids[key] ?? ''),
  )
}

export function contentOf(
  planId: string,
  { key, check, ...given }: NewStep,
  dependsOn: readonly string[],
): StepContent {
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

export function stepDraft(id: string, key: string, payload: StepContent): Draft {
  return { concept: stepConcept.name, id, payload: { ...payload, key }, mutation: 'addHarnessStep' }
}
