/** What each row that has not ended waits for, since when, until when, and the command that helps. */
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { findAnyRow } from './find-row.ts'
import { latestPlanStates, openPlanStates, planState, type PlanState } from './plan-state.ts'
import { shortId } from './pure/short-id.ts'
import { stateText } from './pure/state-text.ts'
import { stepText } from './pure/step-text.ts'
import { lookingAtPlans } from './with-plans.ts'
import type { StepHead } from '@agentm/harness'
import { AbsentNodeError, type Head, redactValue } from '@agentm/nodes'
import type { PlansReader } from '@agentm/workspace/reader'

export const status: Command = {
  takes: '[PLAN|STEP]',
  summary: 'what every step that has not ended waits for, since when, and the command that helps',
  details:
    'PLAN is an id or its beginning. Without one: every plan of yours that has not ended. For a STEP, which is an id, its\n' +
    'beginning, or PLAN/KEY: what it was given, what came of it, and who answered what.',
  options: { all: { help: 'the latest plans, ended ones too' } },
  async run(call) {
    if (call.args.length > 0 && call.has('all')) throw new UsageError('name a plan, or ask for --all.')
    const none: Answer = { text: 'No plans here yet. agentm plan new --steps FILE makes one.', data: { plans: [] } }
    return lookingAtPlans(
      call,
      (opened) => look(call, opened),
      () => (call.args[0] === undefined ? none : absent(call.args[0])),
    )
  },
}

function absent(words: string): never {
  throw new AbsentNodeError(words)
}

async function look({ args: [words], has }: Call, opened: PlansReader): Promise<Answer> {
  const now = await opened.work.now()
  if (words === undefined)
    return answer(await (has('all') ? latestPlanStates(opened, mostShown) : openPlanStates(opened)), now)
  const { of, id, erased } = await findAnyRow(opened, words)
  if (erased) return erasedAnswer(of, of === 'step' ? await opened.harness.step(id) : await opened.harness.plan(id))
  return of === 'step' ? stepAnswer(await opened.harness.step(id)) : answer([await planState(opened, id)], now)
}

function erasedAnswer(of: 'plan' | 'step', { id, status: ended = '', createdAt }: Head): Answer {
  const name = of === 'step' ? 'stepId' : 'planId'
  const text = `${shortId(id)}  ${ended}  erased on ${new Date(createdAt).toISOString().slice(0, 10)}`
  return { text, data: { [name]: id, status: ended, redacted: true } }
}

function stepAnswer(step: StepHead): Answer {
  // What a step runs with is stored as it was given; what is shown of it is not.
  const payload = redactValue(step.payload)
  return { text: stepText({ id: step.id, payload }), data: { stepId: step.id, ...payload } }
}

const mostShown = 20

function answer(plans: readonly PlanState[], now: number): Answer {
  const text =
    plans.length === 0
      ? 'Nothing is under way. agentm status --all lists what has ended.'
      : plans.map((plan) => stateText(redactValue(plan), now)).join('\n')
  return { text, data: { plans: redactValue(plans) } }
}
