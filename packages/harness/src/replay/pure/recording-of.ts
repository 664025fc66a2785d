/**
 * Turns the log of a plan into a recipe for a replay: its steps, and for each start its outcome and its cost.
 */
import type { Node } from '@agentm/nodes'
import { planSchema } from '../../plan.ts'
import { addUsage, noUsage } from '../../pure/budget-verdict.ts'
import { observationUsage } from '../../pure/observation-usage.ts'
import type { Lost } from '../../pure/plan-view.ts'
import { unknownPrefix } from '../../pure/step-drafts.ts'
import { stepSchema, type Step } from '../../step.ts'
import type { Outcome, Recipe, RecipeStep } from './recipe.ts'

export interface Recording {
  readonly recipe: Recipe
  /** The status of the plan. */
  readonly status: string
  /** All starts, in order. */
  readonly dispatches: readonly string[]
  /** Starts that no valid schedule allows: a step started before one of its dependencies was done. */
  readonly disorders: readonly string[]
  /** Changes by hand, which a replay cannot repeat by itself. */
  readonly interventions: readonly string[]
}

interface StepVersion {
  readonly seq: number
  readonly at: number
  readonly id: string
  readonly mutation: string
  readonly payload: Step
}

/** `undefined` if the plan does not exist, or if its content or that of a step was erased. */
export function recordingOf(planId: string, nodes: readonly Node[]): Recording | undefined {
  const versions = nodes.toSorted((a, b) => a.seq - b.seq)
  const plan = planSchema.safeParse(versions.findLast(({ id }) => id === planId)?.payload)
  if (!plan.success || versions.some(isErasedStep)) return undefined
  const { goal, ownerUserId: owner, budget, status } = plan.data
  const steps = versions.filter(({ concept }) => concept === 'v1:harness:step').flatMap(stepVersion)
  const runs = [...bySteps(steps)]
  const started = steps.filter(isStart)
  return {
    recipe: {
      planId,
      goal,
      owner,
      steps: runs.flatMap(([id, own]) => recipeStep(id, own)),
      outcomes: Object.fromEntries(runs.map(([id, own]) => [id, outcomesOf(own, versions)])),
      ...(budget && { budget }),
    },
    status,
    dispatches: started.map(({ id }) => id),
    disorders: disordersIn(steps, started),
    interventions: interventionsIn(versions),
  }
}

function isErasedStep({ concept, redacted }: Node): boolean {
  return concept === 'v1:harness:step' && redacted
}

function stepVersion({ seq, createdAt, id, provenanceMutation, payload }: Node): readonly StepVersion[] {
  const parsed = stepSchema.safeParse(payload)
  return parsed.success ? [{ seq, at: createdAt, id, mutation: provenanceMutation, payload: parsed.data }] : []
}

function bySteps(versions: readonly StepVersion[]): ReadonlyMap<string, readonly StepVersion[]> {
  const groups = new Map<string, StepVersion[]>()
  for (const version of versions) {
    const own = groups.get(version.id)
    if (own === undefined) groups.set(version.id, [version])
    else own.push(version)
  }
  return groups
}

/** Whether the version is a claim. A step that is skipped by hand passes through `running` without a claim. */
function isStart({ mutation, payload }: StepVersion): boolean {
  return payload.status === 'running' && mutation === 'startHarnessStep'
}

function recipeStep(id: string, versions: readonly StepVersion[]): readonly RecipeStep[] {
  const payload = versions.at(-1)?.payload
  if (payload === undefined) return []
  const { title, dependsOn, input, kind, onUnknown, retry, carriedFrom } = payload
  const nature = versions.some((version) => version.payload.intentAt !== undefined) ? 'effectful' : payload.nature
  return [
    {
      id,
      title,
      dependsOn,
      ...(input && { input }),
      ...(kind && { kind }),
      ...(nature && { nature }),
      ...(onUnknown && { onUnknown }),
      ...(retry && { retry }),
      ...(carriedFrom && { carriedFrom }),
    },
  ]
}

function outcomesOf(versions: readonly StepVersion[], nodes: readonly Node[]): readonly Outcome[] {
  const starts = versions.filter(isStart)
  return starts.map((start, i) => {
    const next = starts[i + 1]
    const end = versions.find(({ seq, payload }) => seq > start.seq && payload.status !== 'running')
    const cost = costOf(nodes, { id: start.id, after: start.seq, before: next?.seq ?? Infinity })
    const ms = Math.max(0, (end?.at ?? start.at) - start.at)
    return { ...outcomeOf(end?.payload, next !== undefined), ...cost, ...(ms > 0 && { ms }) }
  })
}

function outcomeOf(end: Step | undefined, startedAgain: boolean): Outcome {
  if (end?.status === 'done') return { end: 'done' }
  if (end?.status === 'blocked' && end.waitsFor !== undefined)
    return isAboutLoss(end) ? { end: 'lost' } : { end: 'waiting', waitsFor: end.waitsFor }
  if (end?.status !== 'failed') return { end: 'lost' }
  const why = lossIn(end)
  if (why !== undefined) return { end: 'lost', why }
  const retriedByHand = startedAgain && end.retryAt === undefined
  return { end: 'failed', ...(end.failure && { failure: end.failure }), ...(retriedByHand && { retriedByHand }) }
}

function lossIn({ failure }: Step): Lost | undefined {
  return failure?.cause === 'lease' || failure?.cause === 'vanished' ? failure.cause : undefined
}

/** Whether the harness asks what happened in a run whose worker was lost. */
function isAboutLoss({ waitsFor }: Step): boolean {
  return waitsFor?.for === 'answer' && waitsFor.question.id.startsWith(unknownPrefix)
}

function costOf(
  nodes: readonly Node[],
  { id, after, before }: { readonly id: string; readonly after: number; readonly before: number },
): { readonly toolCalls: number; readonly tokens: number } {
  const observed = nodes.filter(
    ({ concept, payload, seq }) =>
      concept === 'v1:harness:observation' && payload['stepId'] === id && seq > after && seq < before,
  )
  const used = observed.map(({ payload }) => observationUsage(payload)).reduce(addUsage, noUsage)
  return { toolCalls: used.toolCalls, tokens: used.tokens }
}

function disordersIn(versions: readonly StepVersion[], starts: readonly StepVersion[]): readonly string[] {
  const doneAt = new Map<string, number>()
  for (const { id, seq, payload } of versions) if (payload.status === 'done' && !doneAt.has(id)) doneAt.set(id, seq)
  return starts.flatMap(({ id, seq, payload }) =>
    payload.dependsOn
      .filter((target) => (doneAt.get(target) ?? Infinity) > seq)
      .map((target) => `${id} started before ${target} was done`),
  )
}

const byHand = new Map([
  ['cancelHarnessPlan', 'the plan was cancelled'],
  ['pauseHarnessPlan', 'the plan was paused'],
  ['skipHarnessStep', 'a step was skipped'],
  ['answerHarnessStep', 'a question was answered'],
  ['editHarnessStep', 'a step was edited'],
])

function interventionsIn(versions: readonly Node[]): readonly string[] {
  const told = versions.flatMap(({ provenanceMutation }) => byHand.get(provenanceMutation) ?? [])
  return [...new Set(told)]
}
