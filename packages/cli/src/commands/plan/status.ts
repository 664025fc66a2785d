/** What each row that has not ended waits for, since when, until when, and the command that helps. */
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { findRow, stepConcept } from './find-row.ts'
import { asStep, latestPlanStates, openPlanStates, planState, type PlanState } from './plan-state.ts'
import { shortId } from './pure/short-id.ts'
import { stateText } from './pure/state-text.ts'
import { stepText } from './pure/step-text.ts'
import { lookingAtPlans } from './with-plans.ts'
import { AbsentNodeError } from '@agentm/nodes'
import type { OpenedHarnessReader } from '@agentm/workspace'

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
      (opened) => look(call, opened),
      () => (call.args[0] === undefined ? none : absent(call.args[0])),
    )
  },
}

function absent(words: string): never {
  throw new AbsentNodeError(words)
}

async function look({ args: [words], has }: Call, opened: OpenedHarnessReader): Promise<Answer> {
  const now = await opened.work.now()
  if (words === undefined)
    return answer(await (has('all') ? latestPlanStates(opened, mostShown) : openPlanStates(opened)), now)
  const { concept, id } = await findRow(opened, words)
  return concept === stepConcept ? stepAnswer(opened, id) : answer([await planState(opened, id)], now)
}

async function stepAnswer({ log, owner }: OpenedHarnessReader, stepId: string): Promise<Answer> {
  const head = await log.latest(stepId, { owner })
  if (head === undefined) throw new AbsentNodeError(stepId)
  if (head.redacted) return { text: `${shortId(stepId)} was erased.`, data: { stepId, redacted: true } }
  const step = asStep(head)
  return { text: stepText(step), data: { stepId, ...step.payload } }
}

const mostShown = 20

function answer(plans: readonly PlanState[], now: number): Answer {
  const text =
    plans.length === 0
      ? 'Nothing is under way. agentm status --all lists what has ended.'
      : plans.map((plan) => stateText(plan, now)).join('\n')
  return { text, data: { plans } }
}
