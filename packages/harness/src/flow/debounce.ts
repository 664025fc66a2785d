/**
 * Plans that wait for calls to stop coming. A node per key names the plan that waits; a call either finds that plan before its start and
 * replaces its input, or creates the next one. Each write expects the versions it was decided on, so of a call and a worker that starts the
 * plan at the same time one is first, and the other sees it.
 */
import { defineConcept, deriveId, type Draft, scanAll } from '@agentm/nodes'
import { z } from 'zod'
import type { CreatedPlan, NewPlan } from '../new-plan.ts'
import { planDrafts } from '../plan-content.ts'
import { isSameStep } from '../same-plan.ts'
import { type Span, spanMs } from '../functions/pure/span.ts'
import {
  asPlan,
  asStep,
  type HarnessContext,
  type PlanHead,
  type StepHead,
  untilUncontested,
} from '../harness-context.ts'
import { InvalidPlanError } from '../harness-errors.ts'
import { versionsOf } from '../plan-control.ts'
import { planName, stepName } from '../pure/concept-names.ts'
import { keyProblems, spanProblems } from './flow-fields.ts'

/** How a plan waits for calls with the same key to stop coming. */
export interface Debounce {
  /** Calls with the same key are one plan until it starts. A key belongs to the owner of the plan. */
  readonly key: string
  /** The plan starts so long after the last call. */
  readonly wait: Span
  /** It starts at most so long after the first call (default: no limit). */
  readonly atMost?: Span
}

/** Which plan waits for a key. */
export const debounce = defineConcept({
  name: 'v1:harness:debounce',
  schema: z.object({
    ownerUserId: z.string().min(1),
    planId: z.string().min(1),
    /** The first call for this plan, in epoch milliseconds. */
    firstAt: z.number(),
  }),
  relations: [{ field: 'planId', to: planName, kind: 'names' }],
})

type Debounced = Omit<NewPlan, 'debounce'> & { readonly debounce: Debounce }

/** Creates the plan, or replaces goal and inputs of the one that waits for the same key and pushes its start back. */
export async function createDebounced(
  context: HarnessContext,
  request: Debounced,
  newId: () => string,
): Promise<CreatedPlan> {
  checkDebounce(request)
  const { owner, actor, store } = context
  const id = deriveId(debounce.name, owner, request.debounce.key)
  return untilUncontested(async () => {
    const now = await store.work.now()
    const head = await store.log.latest(id, { owner })
    const waiting = head && (await findWaiting(context, String(head.payload['planId'])))
    const firstAt = waiting === undefined ? now : Number(head?.payload['firstAt'])
    const planId = waiting?.plan.id ?? newId()
    const planned = planDrafts({ ...delayed(request, startOf(request.debounce, now, firstAt)), id: planId })
    const drafts =
      waiting === undefined
        ? [...planned.drafts, noteDraft(id, planned.planId, firstAt)]
        : changesOf(planned.drafts, waiting, request.debounce.key)
    const expects =
      waiting === undefined
        ? { [id]: head?.version ?? 0, [planned.planId]: 0 }
        : versionsOf([...(head ? [head] : []), waiting.plan, ...waiting.steps])
    const partition = request.partition === undefined ? {} : { partition: request.partition }
    await store.log.append(drafts, { owner, actor, ...partition, expects })
    return { planId: planned.planId, steps: planned.steps, created: waiting === undefined }
  })
}

interface WaitingPlan {
  readonly plan: PlanHead
  readonly steps: readonly StepHead[]
}

/** The plan, if none of its steps was started. */
async function findWaiting({ store, owner }: HarnessContext, planId: string): Promise<WaitingPlan | undefined> {
  const plan = await store.log.latest(planId, { owner })
  if (plan === undefined || plan.redacted || plan.status !== 'open') return undefined
  const heads = await scanAll(store.log, { owner, parent: planId, concepts: [stepName] })
  const steps = heads.map((head) => asStep(head))
  const isUntouched = steps.every(
    ({ payload: { status, startedAt }, redacted }) =>
      !redacted && startedAt === undefined && (status === 'pending' || status === 'ready'),
  )
  return isUntouched ? { plan: asPlan(plan), steps } : undefined
}

function startOf({ wait, atMost }: Debounce, now: number, firstAt: number): number {
  return Math.min(now + spanMs(wait), atMost === undefined ? Infinity : firstAt + spanMs(atMost))
}

/** The plan whose first steps start at this time, or at their own if that is later. */
function delayed({ debounce: _debounce, ...plan }: Debounced, startAt: number): NewPlan {
  const steps = plan.steps.map((step) =>
    (step.dependsOn ?? []).length > 0 ? step : { ...step, startAt: Math.max(startAt, Number(step.startAt ?? 0)) },
  )
  return { ...plan, steps }
}

function noteDraft(id: string, planId: string, firstAt: number): Draft {
  return { concept: debounce.name, id, payload: { planId, firstAt }, mutation: 'debounceHarnessPlan' }
}

/** What may change before the start. Everything else, such as the steps themselves, has to be as it was. */
const replaced = ['title', 'input', 'startAt'] as const

function changesOf(drafts: readonly Draft[], { steps }: WaitingPlan, key: string): readonly Draft[] {
  const known = new Map(steps.map((step) => [step.id, step]))
  const added = drafts.filter(({ concept, update }) => concept === stepName && update !== true)
  const isSame = added.length === steps.length && added.every((draft) => isAlike(known.get(draft.id ?? ''), draft))
  if (!isSame)
    throw new InvalidPlanError([
      `another plan waits for the debounce key ${JSON.stringify(key)}, and its steps differ in more than title and input. Use another key for other steps`,
    ])
  const [plan] = drafts.filter(({ concept }) => concept === planName)
  const { goal, input } = plan?.payload ?? {}
  return [
    ...(plan === undefined
      ? []
      : [changeOf({ ...plan, payload: { goal, ...(input !== undefined && { input }) } }, ['input'])]),
    ...added.map((draft) => changeOf({ ...draft, payload: picked(draft.payload) }, ['input', 'due'])),
  ]
}

function isAlike(known: StepHead | undefined, { payload }: Draft): boolean {
  const rest = Object.fromEntries(
    Object.entries(payload).filter(([field]) => !(replaced as readonly string[]).includes(field)),
  )
  return known !== undefined && isSameStep(known.payload, rest)
}

function picked(payload: Draft['payload']): Draft['payload'] {
  return Object.fromEntries(
    replaced.flatMap((field) => (payload[field] === undefined ? [] : [[field, payload[field]]])),
  )
}

function changeOf(draft: Draft, unset: readonly string[]): Draft {
  const left = unset.filter((field) => !(field in draft.payload))
  // An input is replaced as a whole, so fields of the earlier one do not remain.
  return { ...draft, update: true, unset: left, mutation: 'debounceHarnessPlan' }
}

function checkDebounce({ debounce: { key, wait, atMost }, id, startedBy }: Debounced): void {
  const problems = [
    ...keyProblems('debounce', key),
    ...spanProblems('debounce.wait', wait, 1),
    ...spanProblems('debounce.atMost', atMost, 1),
    ...(id === undefined ? [] : ['a debounced plan has no id of its own, because later calls change it. Leave out id']),
    ...(startedBy === undefined ? [] : ['a plan that a step starts cannot be debounced. Leave out debounce']),
  ]
  if (problems.length > 0) throw new InvalidPlanError(problems)
}
