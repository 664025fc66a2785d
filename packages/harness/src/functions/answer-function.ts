/**
 * Gives an answer to a question of a durable function. It is written to the entry that asks, and not to the step, whose version is the
 * fence of the worker that may be running the function. A message in the same append tells the running pass of it; a run that waits is
 * made ready.
 */
import type { Answer, Question } from '@agentm/agent-loop'
import { deriveId, type Draft, type Head } from '@agentm/nodes'
import { type HarnessContext, readPlan, type StepHead } from '../harness-context.ts'
import { PlanOverError } from '../harness-errors.ts'
import { entryName } from '../pure/concept-names.ts'
import { isPlanOver } from '../pure/plan-transitions.ts'
import { readyDraft } from '../pure/step-drafts.ts'
import type { Entry } from './entry.ts'
import { messageDraft } from './mailbox.ts'
import { asEntry } from './node-function-log.ts'
import { positionOf } from './pure/question-id.ts'

/** The question as it stands, and the entry that asks it. */
export interface Asking {
  readonly head: Head
  readonly entry: Entry
  readonly question: Question
}

/** `undefined` if the function never asked it. */
export async function findAsking(
  { store, owner }: HarnessContext,
  stepId: string,
  questionId: string,
): Promise<Asking | undefined> {
  const position = positionOf(questionId)
  if (position === undefined) return undefined
  const head = await store.log.latest(deriveId(entryName, stepId, String(position)), { owner })
  if (head === undefined || head.redacted) return undefined
  const entry = asEntry(head)
  return entry.question?.id === questionId ? { head, entry, question: entry.question } : undefined
}

/** Why the question cannot be answered any more; `undefined` while it can. */
export function whyOver({ status, question }: Entry, step: StepHead['payload']): string | undefined {
  if (step.status === 'done' || (step.status === 'failed' && step.retryAt === undefined))
    return 'the function that asked has ended'
  if (status === 'asking') return undefined
  if (status === 'withdrawn') return 'it was withdrawn, because the function went on without an answer'
  return question?.deadline === undefined ? 'the function was not given an answer' : 'its deadline has passed'
}

/** Refused by the store if the question, the plan or a waiting step has changed since it was read. */
export async function writeAnswer(
  context: HarnessContext,
  step: StepHead,
  { asking: { head, entry, question }, answer }: { readonly asking: Asking; readonly answer: Answer },
): Promise<void> {
  const { store, owner, actor } = context
  const plan = await readPlan(context, step.payload.planId)
  if (isPlanOver(plan.payload.status)) throw new PlanOverError(plan.id, plan.payload.status)
  const waits = step.payload.waitsFor?.for === 'function'
  const { value } = answer
  const answered: Draft = {
    concept: entryName,
    id: head.id,
    // What a step gives is not what was said about it.
    payload: { status: 'answered', answer, ...(entry.op === 'ask' && { value }) },
    mutation: 'answerHarnessEntry',
    update: true,
  }
  const message = messageDraft({ planId: plan.id, stepId: step.id }, { say: 'answer', name: question.id, value })
  const expects = { [head.id]: head.version, [plan.id]: plan.version, ...(waits && { [step.id]: step.version }) }
  await store.log.append([answered, message, ...(waits ? [readyDraft(step)] : [])], {
    owner,
    actor,
    partition: step.partition,
    expects,
  })
}
