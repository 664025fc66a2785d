/** Lists schedules, or shows one with what it did last. */
import { redactValue } from '@agentm/nodes'
import { type Answer, type Command } from '../../command.ts'
import { typed } from '../../typed.ts'
import { lookingAtPlans } from '../plan/with-plans.ts'
import { countOption } from '../number-options.ts'
import { namedSchedule } from './named-schedule.ts'
import { historyText, scheduleLine } from './schedule-text.ts'

export const scheduleList: Command = {
  summary: 'list the schedules, their next starts, and what keeps them from running',
  run: (call) =>
    lookingAtPlans(
      call,
      async ({ harness, policy }) => {
        const found = redactValue(await harness.schedules())
        if (found.length === 0) return none()
        const text = found.map((standing) => typed(scheduleLine(standing, policy.kinds))).join('\n')
        return { text, data: { schedules: found } }
      },
      none,
    ),
}

export const scheduleShow: Command = {
  takes: 'NAME',
  summary: 'show what a schedule started and skipped, and its next starts',
  options: { last: { value: 'N', help: 'how many of its last changes to look at (default: 10)' } },
  run(call) {
    const events = countOption(call, 'last') ?? 10
    const name = call.args[0] ?? ''
    return lookingAtPlans(
      call,
      async ({ harness, policy }) => {
        const history = redactValue(await namedSchedule(harness, name, () => harness.scheduleHistory(name, { events })))
        return { text: typed(historyText(history, policy.kinds)), data: history }
      },
      () => namedSchedule({ schedules: async () => [] }, name),
    )
  },
}

function none(): Answer {
  const text = typed('There are no schedules. To add one: agentm schedule add NAME FILE --cron "0 9 * * 1-5"')
  return { text, data: { schedules: [] } }
}
