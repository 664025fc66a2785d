/** Answers a question that a step asks. The first answer counts, whoever gives it. */
import type { FoundRow, Waiting } from '@agentm/harness'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import type { Plans } from '@agentm/workspace'
import { findRow } from './find-row.ts'
import { defaultAnswer } from '@agentm/workspace/health'
import { oneLine } from './pure/state-text.ts'
import { shortId } from './pure/short-id.ts'
import { changingPlans } from './with-plans.ts'
import { by, reasonOption } from './control.ts'

export const approve: Command = {
  takes: 'STEP',
  summary: 'answer a question that a step asks',
  details:
    'STEP is an id, the beginning of an id, PLAN/KEY, or a plan that asks one question. Without --answer the answer is approve, or yes, if ' +
    'the question allows it. A durable function may ask several questions at once: agentm status shows them, and --question names one. The exit code is 1 when the question was already answered differently.',
  options: {
    answer: { value: 'TEXT', help: 'the answer, such as deny (default: approve or yes)' },
    question: { value: 'ID', help: 'the question to answer, as agentm status shows it (default: the oldest)' },
    ...reasonOption,
  },
  isObserved: true,
  run: (call) =>
    changingPlans(call, async (opened) => {
      const { harness } = opened
      const row = await findRow(opened, call.args[0] ?? '')
      const planId = row.of === 'plan' ? row.id : (await harness.step(row.id)).payload.planId
      const asked = (await harness.waiting(planId)).filter(({ ask }) => ask !== undefined)
      const [only, ...others] = row.of === 'plan' ? asked : asked.filter(({ stepId }) => stepId === row.id)
      if (others.length > 0)
        throw new UsageError(
          `this plan asks ${others.length + 1} questions. Name the step to answer: ${[only, ...others].map(listed).join('; ')}.`,
        )
      return only === undefined ? already(opened, row, call) : give(opened, only, call)
    }),
}

function listed(row: Waiting | undefined): string {
  return row === undefined ? '' : `${shortId(row.stepId)} ${oneLine(row.title)}`
}

async function give(opened: Plans, { stepId, ask: first, alsoAsks = [] }: Waiting, call: Call): Promise<Answer> {
  const { harness, owner } = opened
  const id = call.get('question') ?? first?.questionId
  const ask = [first, ...alsoAsks].find((one) => one?.questionId === id)
  if (ask === undefined) return already(opened, { of: 'step', id: stepId, erased: false }, call)
  const value = call.get('answer') ?? defaultAnswer(ask.allowed)
  if (value === undefined)
    throw new UsageError(
      `no answer was given. Use ${ask.allowed?.map((one) => `--answer ${one}`).join(' or ') ?? '--answer TEXT'}.`,
    )
  const answered = await harness.answer(stepId, { questionId: ask.questionId, value, ...by(call, owner) })
  return outcome(stepId, value, answered)
}

/** The step does not ask it now. If it was answered before, the message names that answer. */
async function already({ harness, owner }: Plans, row: FoundRow, call: Call): Promise<Answer> {
  const answers = row.of === 'plan' ? {} : await harness.answers(row.id)
  const questionId = call.get('question') ?? Object.keys(answers).at(-1)
  const value = call.get('answer') ?? answers[questionId ?? '']?.value
  if (questionId === undefined || value === undefined || row.of === 'plan')
    throw new UsageError(`${shortId(row.id)} asks no question. To see what each step waits for: agentm status`)
  const answered = await harness.answer(row.id, { questionId, value, ...by(call, owner) })
  return outcome(row.id, value, answered)
}

function outcome(
  stepId: string,
  value: string,
  { accepted, answer }: Awaited<ReturnType<Plans['harness']['answer']>>,
): Answer {
  const same = answer.value === value
  const text = accepted
    ? `Answered ${value}.`
    : `${answer.actor} already answered ${answer.value}${same ? '' : ', and the first answer counts'}.`
  return { text, data: { stepId, accepted, answer }, exit: accepted || same ? 0 : 1 }
}
