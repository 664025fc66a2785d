/** What is written of a fork: the plan, the steps that were done elsewhere, the steps that run anew, and which of those are ready. */
import type { Draft } from '@agentm/nodes'
import type { Recorded } from '../../functions/function-log.ts'
import { stepIdIn } from '../../pure/step-id-in.ts'
import type { Plan } from '../../plan.ts'
import { planName, stepName } from '../../pure/concept-names.ts'
import { type ByHand, signed } from '../../pure/plan-drafts.ts'
import { readyDraft } from '../../pure/step-drafts.ts'
import type { Step } from '../../step.ts'
import { entryDrafts } from './carried-entries.ts'
import type { ForkDecision } from './decide-fork.ts'

export interface ForkSource {
  readonly plan: { readonly id: string; readonly payload: Plan }
  readonly steps: readonly { readonly id: string; readonly payload: Step }[]
  readonly keys: ReadonlyMap<string, string>
}

export interface ForkPlan {
  readonly id: string
  readonly decision: ForkDecision
  /** The step from which everything runs anew, with its input. */
  readonly from?: { readonly id: string; readonly input: Step['input'] }
  readonly input: Plan['input']
  /** What the function of that step is given first, and the run that recorded it. */
  readonly replayed?: { readonly entries: readonly Recorded[]; readonly replays: NonNullable<Step['replays']> }
  readonly by: ByHand
}

export function forkDrafts(source: ForkSource, fork: ForkPlan): readonly Draft[] {
  const { decision } = fork
  const idOf = forkIds(source, fork.id)
  const steps = source.steps.map((step) =>
    decision.carried.has(step.id) ? carriedDraft(step, { source, fork, idOf }) : newDraft(step, { source, fork, idOf }),
  )
  const isFree = ({ id, payload }: ForkSource['steps'][number]) =>
    decision.anew.has(id) && payload.dependsOn.every((other) => decision.carried.has(other))
  const entries =
    fork.replayed === undefined || fork.from === undefined
      ? []
      : entryDrafts(fork.replayed.entries, { planId: fork.id, stepId: idOf(fork.from.id) })
  return [
    planDraft(source.plan, fork, idOf),
    ...steps,
    ...entries,
    ...source.steps.filter(isFree).map(({ id }) => readyDraft({ id: idOf(id) })),
  ]
}

/** The step of the fork that stands for a step of the original: it has the same key. */
export function forkIds({ keys }: Pick<ForkSource, 'keys'>, planId: string): (stepId: string) => string {
  const ids = new Map([...keys].map(([id, key]) => [id, stepIdIn(planId, key)]))
  return (stepId) => ids.get(stepId) ?? stepId
}

function planDraft({ id, payload }: ForkSource['plan'], fork: ForkPlan, idOf: (stepId: string) => string): Draft {
  const { goal, inputs, budget, trees, check, rootStepId } = payload
  const content = {
    goal,
    ...(fork.input && { input: fork.input }),
    ...(inputs && { inputs }),
    ...(budget && { budget }),
    ...(trees && { trees }),
    ...(check && { check }),
    ...(rootStepId !== undefined && { rootStepId: idOf(rootStepId) }),
    forkedFrom: id,
    ...(fork.from && { forkedAt: idOf(fork.from.id) }),
    carried: fork.decision.carried.size,
  }
  const { unset: _nothingYet, ...draft } = signed(
    { concept: planName, id: fork.id, payload: content, mutation: 'forkHarnessPlan' },
    fork.by,
  )
  return draft
}

interface Around {
  readonly source: ForkSource
  readonly fork: ForkPlan
  readonly idOf: (stepId: string) => string
}

function contentOf({ id, payload }: ForkSource['steps'][number], { source, fork, idOf }: Around): Draft['payload'] {
  const { title, kind, nature, onUnknown, input, timeoutMs, tree, check, retry, assignedAgent } = payload
  const { limit, rate, priority, dependsOn } = payload
  const fields = {
    title,
    kind,
    nature,
    onUnknown,
    input,
    timeoutMs,
    tree,
    check,
    retry,
    assignedAgent,
    limit,
    rate,
    priority,
  }
  return {
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    key: source.keys.get(id) ?? '',
    planId: fork.id,
    dependsOn: dependsOn.map(idOf),
  }
}

/** It keeps the key under which its effect is known elsewhere, and the times at which it ran. */
function carriedDraft(step: ForkSource['steps'][number], around: Around): Draft {
  const { id, payload } = step
  const { idempotencyKey, result, answers, startedAt, completedAt } = payload
  return {
    concept: stepName,
    id: around.idOf(id),
    payload: {
      ...contentOf(step, around),
      status: 'done',
      idempotencyKey,
      carriedFrom: { planId: payload.planId, stepId: id },
      ...(result && { result }),
      ...(answers && { answers }),
      ...(startedAt !== undefined && { startedAt }),
      ...(completedAt !== undefined && { completedAt }),
    },
    mutation: 'carryHarnessStep',
  }
}

/** It has a key of its own, because a service that knows the key of the original would answer with what happened then. */
function newDraft(step: ForkSource['steps'][number], around: Around): Draft {
  const { fork, idOf } = around
  const { delayMs, expiresInMs } = step.payload
  const isChosen = fork.from?.id === step.id
  return {
    concept: stepName,
    id: idOf(step.id),
    payload: {
      ...contentOf(step, around),
      ...(isChosen && fork.from?.input && { input: fork.from.input }),
      ...(isChosen && fork.replayed && { replays: fork.replayed.replays }),
      ...(delayMs !== undefined && { delayMs }),
      ...(expiresInMs !== undefined && { expiresInMs }),
      idempotencyKey: idOf(step.id).slice(-32),
    },
    mutation: 'addHarnessStep',
  }
}
