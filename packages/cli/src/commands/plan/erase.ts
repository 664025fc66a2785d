/** Erases what a plan or a step holds, for good. Asked first: nothing brings it back. */
import type { Erased } from '@agentm/harness'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { findAnyRow } from './find-row.ts'
import { shortId } from './pure/short-id.ts'
import { stepCount } from './pure/step-count.ts'
import { changingPlans } from './with-plans.ts'

export const erase: Command = {
  takes: 'PLAN|STEP',
  summary: 'erase what a plan or a step that has ended holds, for good',
  details:
    'Goal, titles, inputs, results, errors, answers, and what was observed; of the plans its steps started, too. Ids, statuses, times and\n' +
    'the graph stay, so trace still says what happened when. What has not ended is refused. Notes are erased by agentm forget --purge.',
  options: { yes: { help: 'do not ask; needed without a terminal' } },
  run: (call) =>
    changingPlans(call, async ({ harness }) => {
      const { of, id } = await findAnyRow({ harness }, call.args[0] ?? '')
      await agreed(call, `${of} ${shortId(id)}`)
      const erased = of === 'plan' ? await harness.erasePlan(id) : await harness.eraseStep(id)
      return answer(id, erased)
    }),
}

async function agreed({ terminal, json, has }: Call, what: string): Promise<void> {
  if (has('yes')) return
  const command = 'agentm erase PLAN|STEP --yes'
  if (!terminal.isInteractive || json)
    throw new UsageError(`nothing was erased: say that it is meant, as it cannot be undone: ${command}`)
  if ((await terminal.ask(`Erase ${what} for good? Type yes: `)) !== 'yes')
    throw new UsageError('nothing was erased: you did not say yes.')
}

function answer(id: string, erased: Erased): Answer {
  const { plans, steps, records } = erased
  const counts = [
    ...(plans === 0 ? [] : [plans === 1 ? '1 plan' : `${plans} plans`]),
    ...(steps === 0 ? [] : [stepCount(steps)]),
    ...(records === 0 ? [] : [records === 1 ? '1 record' : `${records} records`]),
  ]
  const text =
    counts.length === 0
      ? `${shortId(id)} was erased before.`
      : `Erased ${shortId(id)}: ${counts.join(', ')}. Ids, statuses and times stay.`
  return {
    text,
    data: { id, ...erased },
    notices: [
      'backups of the log, beliefs learned from it (agentm beliefs) and files that its steps wrote hold what they held.',
    ],
  }
}
