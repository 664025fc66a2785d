/** What each row that has not ended waits for, since when, until when, and the command that helps. */
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { findPlanId } from './find-row.ts'
import { latestPlanStates, openPlanStates, planState, type PlanState } from './plan-state.ts'
import { stateText } from './pure/state-text.ts'
import { lookingAtPlans } from './with-plans.ts'

export const status: Command = {
  takes: '[PLAN]',
  summary: 'what every step that has not ended waits for, since when, and the command that helps',
  details: 'PLAN is an id or its beginning. Without one: every plan of yours that has not ended.',
  options: { all: { help: 'the latest plans, ended ones too' } },
  async run(call) {
    if (call.args.length > 0 && call.has('all')) throw new UsageError('name a plan, or ask for --all.')
    const none: Answer = { text: 'No plans here yet. agentm plan new --steps FILE makes one.', data: { plans: [] } }
    return lookingAtPlans(
      async (opened) => answer(await statesFor(call, opened), await opened.work.now()),
      () => none,
    )
  },
}

const mostShown = 20

async function statesFor(
  { args: [words], has }: Call,
  opened: Parameters<typeof planState>[0],
): Promise<readonly PlanState[]> {
  if (words !== undefined) return [await planState(opened, await findPlanId(opened, words))]
  return has('all') ? latestPlanStates(opened, mostShown) : openPlanStates(opened)
}

function answer(plans: readonly PlanState[], now: number): Answer {
  const text =
    plans.length === 0
      ? 'Nothing is under way. agentm status --all lists what has ended.'
      : plans.map((plan) => stateText(plan, now)).join('\n')
  return { text, data: { plans } }
}
