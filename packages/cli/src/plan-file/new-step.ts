/** The step that is created for a step of a plan file. One that its words control becomes a step that starts others. */
import type { MediaPart } from '@agentm/agent-loop/internal'
import type { Budget, NewStep } from '@agentm/harness'
import { type ControlledStep, controlKindName, spanMs } from '@agentm/harness/control'
import { isControlled, stepsRead } from './control-problems.ts'
import type { CheckedPlanFile } from './parse-plan-file.ts'
import type { PlanFileStep } from './plan-file-schema.ts'

export interface StepSurroundings {
  readonly dependsOn: readonly string[]
  /** The kinds of all steps of the plan, by key. */
  readonly kinds: ReadonlyMap<string, string>
  /** The plan that the step runs. */
  readonly subPlan: CheckedPlanFile | undefined
  /** The pictures and documents that its agent is shown. */
  readonly parts: readonly MediaPart[]
}

export function newStep(step: PlanFileStep, around: StepSurroundings): NewStep {
  return isControlled(step)
    ? controlled(step, around)
    : { ...plain(step, around.parts), key: step.key, dependsOn: around.dependsOn }
}

function plain(step: PlanFileStep, parts: readonly MediaPart[]): Omit<NewStep, 'key' | 'dependsOn'> {
  const { key, title = key, kind = 'agent', input, assignedAgent, nature, onUnknown, retry } = step
  const { timeout, tree, check } = step
  return {
    kind,
    title,
    ...((input ?? parts[0]) && { input: { ...input, ...(parts.length > 0 && { files: parts }) } }),
    ...(assignedAgent !== undefined && { assignedAgent }),
    ...(nature && { nature }),
    ...(onUnknown && { onUnknown }),
    ...(timeout !== undefined && { timeoutMs: spanMs(timeout) }),
    ...(tree !== undefined && { tree }),
    ...(check && { check }),
    ...(retry && { retry: retry as NonNullable<NewStep['retry']> }),
    ...flowOf(step),
  }
}

/** When it may start, and what it shares with other steps. The schema has checked the spans. */
function flowOf({ limit, rate, priority, startAt, delay, expiresIn }: PlanFileStep): Partial<NewStep> {
  return {
    ...(limit && { limit }),
    ...(rate && { rate }),
    ...(priority !== undefined && { priority }),
    ...(startAt !== undefined && { startAt: Date.parse(startAt) }),
    ...(delay !== undefined && { delay }),
    ...(expiresIn !== undefined && { expiresIn }),
  }
}

function controlled(step: PlanFileStep, { dependsOn, kinds, subPlan, parts }: StepSurroundings): NewStep {
  const { key, title = key, foreach, atOnce, when, until, every, atMost, output } = step
  const before = [...new Set([...dependsOn, ...stepsRead(step)])]
  const input = {
    key,
    needs: before.map((other) => ({ key: other, kind: kinds.get(other) ?? 'agent' })),
    action: actionOf(step, { subPlan, parts }),
    ...(foreach !== undefined && { foreach }),
    ...(atOnce !== undefined && { atOnce }),
    ...(when !== undefined && { when }),
    ...(until !== undefined && { until }),
    ...(every !== undefined && { every }),
    ...(atMost !== undefined && { atMost }),
    ...(output !== undefined && { output }),
  } satisfies ControlledStep
  // What the title refers to is known only when the step runs.
  return { key, title: title.includes('${{') ? key : title, kind: controlKindName, dependsOn: before, input }
}

function actionOf(
  step: PlanFileStep,
  { subPlan, parts }: Pick<StepSurroundings, 'subPlan' | 'parts'>,
): ControlledStep['action'] {
  const { key, with: given, sleep, ask, options, mayAnswer, signal, timeout } = step
  const within = timeout === undefined ? {} : { timeout: timeout as NonNullable<ControlledStep['every']> }
  if (subPlan !== undefined) {
    const { goal = key, steps, input, inputs, check } = subPlan
    const budget = timeout === undefined ? subPlan.budget : withinTime(subPlan.budget, spanMs(timeout))
    const limits = { ...(budget && { budget: { ...budget } }), ...(check && { check }) }
    return { do: 'plan', goal, steps, input: { ...input, ...given }, inputs, ...limits }
  }
  if (ask !== undefined) {
    const answers = { ...(options && { options }), ...(mayAnswer === 'anyone' && { mayAnswer }) }
    return { do: 'ask', question: ask, ...answers, ...within }
  }
  if (signal !== undefined) return { do: 'signal', name: signal, ...within }
  if (typeof sleep === 'object') return { do: 'sleep until', until: timeOf(sleep.until) }
  if (sleep !== undefined) return { do: 'sleep', for: sleep as NonNullable<ControlledStep['every']> }
  return { do: 'step', step: plain(step, parts) }
}

function timeOf(until: string): number | string {
  return until.includes('${{') ? until : Date.parse(until)
}

/** A sub-plan that takes longer fails, as one does whose budget is used up. */
function withinTime({ maxWallClockMs = Infinity, ...budget }: Budget = {}, timeoutMs: number): Budget {
  return { ...budget, maxWallClockMs: Math.min(maxWallClockMs, timeoutMs) }
}
