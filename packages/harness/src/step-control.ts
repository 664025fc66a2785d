/** Operations on one step by hand. Each throws if the step's status does not allow it, and says which status would. */
import { type HarnessContext, readPlan, readStep, type StepHead, untilUncontested } from './harness-context.ts'
import {
  AnswerNeedsPersonError,
  AnswerRefusedError,
  FencedError,
  PlanOverError,
  StepRefusedError,
} from './harness-errors.ts'
import type { Draft } from '@agentm/nodes'
import { opensAt } from './flow/pure/start-times.ts'
import { findAsking, whyOver, writeAnswer } from './functions/answer-function.ts'
import { answersTo } from './functions/open-questions.ts'
import { isFunctionKind } from './functions/pure/function-kind-name.ts'
import { type Reason, versionsOf } from './plan-control.ts'
import { signed } from './pure/plan-drafts.ts'
import { isPlanOver } from './pure/plan-transitions.ts'
import { afterFailure } from './pure/retry-time.ts'
import {
  answerDrafts,
  blockDraft,
  completeDraft,
  failDraft,
  openDraft,
  readyDraft,
  retryDraft,
  skipDrafts,
  startDraft,
  update,
} from './pure/step-drafts.ts'
import type { Answer, Question } from '@agentm/agent-loop'
import type { Failure, Step, Wait } from './step.ts'
import type { StepStatus } from './pure/step-transitions.ts'

/** pending or blocked → ready. */
export async function readyStep(context: HarnessContext, stepId: string): Promise<void> {
  await change(context, stepId, (step) => {
    requireStatus(step, ['pending', 'blocked'], 'only a pending or blocked step becomes ready')
    if (step.remaining > 0) throw refused(step, `${step.remaining} of its dependencies are not done`)
    return [readyDraft(step)]
  })
}

/** ready → running, for a session that runs the step outside a worker. The returned version is the fence of later writes. */
export async function startStep(
  context: HarnessContext,
  { stepId, session }: { readonly stepId: string; readonly session: string },
): Promise<{ readonly version: number }> {
  return change(context, stepId, (step, { at, held }) => {
    requireStatus(step, ['ready'], 'only a ready step is started')
    if (held) throw refused(step, 'its plan is paused')
    return [startDraft(step, { session, at })]
  })
}

export async function completeStep(
  context: HarnessContext,
  { stepId, result, fence }: { readonly stepId: string; readonly result?: Step['result']; readonly fence?: number },
): Promise<void> {
  await change(context, stepId, (step, { at }) => {
    requireStatus(step, ['running'], 'only a running step is completed')
    requireFence(step, fence)
    return [completeDraft(step, { ...(result && { result }), at })]
  })
}

export async function failStep(
  context: HarnessContext,
  { stepId, failure, fence }: { readonly stepId: string; readonly failure: Failure; readonly fence?: number },
): Promise<void> {
  await change(context, stepId, (step, { at }) => {
    requireStatus(step, ['running'], 'only a running step fails')
    requireFence(step, fence)
    const { failures, retryAt } = afterFailure(step.payload, failure, at)
    return [failDraft(step, { failure, at, failures, ...(retryAt !== undefined && { retryAt }) })]
  })
}

/** running → blocked. */
export async function blockStep(
  context: HarnessContext,
  { stepId, waitsFor, fence }: { readonly stepId: string; readonly waitsFor: Wait; readonly fence?: number },
): Promise<void> {
  await change(context, stepId, (step) => {
    requireStatus(step, ['running'], 'only a running step is blocked')
    requireFence(step, fence)
    return [blockDraft(step, waitsFor)]
  })
}

export async function askQuestion(
  context: HarnessContext,
  { stepId, question, fence }: { readonly stepId: string; readonly question: Question; readonly fence?: number },
): Promise<void> {
  await blockStep(context, { stepId, waitsFor: { for: 'answer', question }, ...(fence !== undefined && { fence }) })
}

/** failed → ready as a new attempt, with its retries restored. A step that waits for a time is started without waiting further. */
export async function retryStep(context: HarnessContext, stepId: string, by: Reason = {}): Promise<void> {
  await change(context, stepId, (step) => {
    const { waitsFor } = step.payload
    if (waitsFor !== undefined && ['time', 'rate-limit', 'code'].includes(waitsFor.for))
      return [signed(readyDraft(step), by)]
    if (step.payload.status === 'ready' && opensAt(step.payload, step.createdAt) !== undefined)
      return [signed(openDraft(step), by)]
    requireStatus(step, ['failed'], 'only a failed step, or one that waits for a time, is retried')
    return [signed(retryDraft(step, { failures: 0, crashes: 0 }), by)]
  })
}

/** Any status except done → done, with the result `{ skipped, actor, reason }`. A worker that runs the step loses its claim. */
export async function skipStep(
  context: HarnessContext,
  stepId: string,
  { actor, reason = 'skipped by hand' }: Reason = {},
): Promise<void> {
  await change(context, stepId, (step, { at }) => {
    requireStatus(step, ['pending', 'ready', 'running', 'blocked', 'failed'], 'it needs no skipping')
    return skipDrafts(step, { actor: actor ?? context.actor, reason, at })
  })
}

/** Replaces the input of a step that does not run. */
export async function editInput(
  context: HarnessContext,
  { stepId, input, ...by }: { readonly stepId: string; readonly input: NonNullable<Step['input']> } & Reason,
): Promise<void> {
  await change(context, stepId, (step) => {
    requireStatus(step, ['pending', 'ready', 'blocked', 'failed'], 'input is edited before a step runs')
    return [signed(update(step.id, 'editHarnessStep', { input }), by)]
  })
}

export async function assignAgent(
  context: HarnessContext,
  { stepId, agent, ...by }: { readonly stepId: string; readonly agent: string } & Reason,
): Promise<void> {
  await change(context, stepId, (step) => {
    requireStatus(step, ['pending', 'ready', 'blocked', 'failed'], 'an agent is assigned before a step runs')
    return [signed(update(step.id, 'assignHarnessStep', { assignedAgent: agent }), by)]
  })
}

/** The answer that counts: the first one that was given. */
export interface Answered {
  readonly accepted: boolean
  readonly answer: Answer
}

export interface NewAnswer extends Reason {
  readonly questionId: string
  readonly value: string
  /** An agent answers. It may answer only questions that say so; the others need a person. */
  readonly by?: 'agent'
}

export async function answerQuestion(
  context: HarnessContext,
  { stepId, questionId, value, actor, reason, by }: NewAnswer & { readonly stepId: string },
): Promise<Answered> {
  return untilUncontested(async () => {
    const step = await readStep(context, stepId)
    const asking = isFunctionKind(step.payload.kind) ? await findAsking(context, step.id, questionId) : undefined
    const earlier = asking === undefined ? step.payload.answers?.[questionId] : asking.entry.answer
    if (earlier !== undefined) return { accepted: false, answer: earlier }
    const question = asking?.question ?? questionOf(step.payload.waitsFor, questionId)
    if (question === undefined) throw new AnswerRefusedError(step.id, `it does not ask ${JSON.stringify(questionId)}`)
    const over = asking && whyOver(asking.entry, step.payload)
    if (over !== undefined) throw new AnswerRefusedError(step.id, over)
    if (question.allowed !== undefined && !question.allowed.includes(value))
      throw new AnswerRefusedError(step.id, `say one of ${question.allowed.join(', ')}`, question.allowed)
    if (by === 'agent' && question.mayAnswer !== 'anyone') throw new AnswerNeedsPersonError(step.id, question.text)
    const at = await context.store.work.now()
    if (question.deadline !== undefined && question.deadline <= at)
      throw new AnswerRefusedError(step.id, 'its deadline has passed')
    const signature = { actor: actor ?? context.actor, ...(by && { by }) }
    const answer = { value, ...signature, at, ...(reason !== undefined && { reason }) }
    if (asking === undefined) await append(context, step, answerDrafts(step, question, answer))
    else await writeAnswer(context, step, { asking, answer })
    return { accepted: true, answer }
  })
}

/** The question of a blocked step, if it is this one. */
function questionOf(waitsFor: Wait | undefined, id: string): Question | undefined {
  return waitsFor?.for === 'answer' && waitsFor.question.id === id ? waitsFor.question : undefined
}

/** The answers that were given to questions of a step, by question id, oldest first. */
export async function answersOf(context: HarnessContext, stepId: string): Promise<Readonly<Record<string, Answer>>> {
  const { id, payload } = await readStep(context, stepId)
  if (!isFunctionKind(payload.kind)) return payload.answers ?? {}
  return answersTo(context.store.log, { owner: context.owner, stepId: id })
}

interface Moment {
  readonly at: number
  readonly held: boolean
}

async function change(
  context: HarnessContext,
  stepId: string,
  decide: (step: StepHead, moment: Moment) => readonly Draft[],
): Promise<{ readonly version: number }> {
  return untilUncontested(async () => {
    const step = await readStep(context, stepId)
    const at = await context.store.work.now()
    return append(context, step, decide(step, { at, held: step.held }))
  })
}

/** Only if the plan has not changed since it was read, because a step of an ended plan must not run again. */
async function append(
  context: HarnessContext,
  step: StepHead,
  drafts: readonly Draft[],
): Promise<{ readonly version: number }> {
  const plan = await readPlan(context, step.payload.planId)
  if (isPlanOver(plan.payload.status)) throw new PlanOverError(plan.id, plan.payload.status)
  const { store, owner, actor } = context
  const versions = await store.log.append(drafts, { owner, actor, expects: versionsOf([step, plan]) })
  return { version: versions.at(-1)?.version ?? step.version }
}

function requireStatus(step: StepHead, allowed: readonly StepStatus[], why: string): void {
  if (!allowed.includes(step.payload.status)) throw refused(step, why)
}

function requireFence(step: StepHead, fence: number | undefined): void {
  if (fence !== undefined && fence !== step.version)
    throw new FencedError(step.id, fence, `it is at version ${step.version} by now`)
}

function refused(step: StepHead, why: string): StepRefusedError {
  return new StepRefusedError(step.id, step.payload.status, why)
}
