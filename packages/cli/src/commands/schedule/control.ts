/** Pause, resume, run and remove a schedule. The log records who did it and why. */
import type { Answer, Call, Command } from '../../command.ts'
import { commandWord } from '../../typed.ts'
import { by, reasonOption } from '../plan/control.ts'
import { shortId } from '../plan/pure/short-id.ts'
import { changingPlans } from '../plan/with-plans.ts'
import { namedSchedule } from './named-schedule.ts'
import { timeIn } from './schedule-text.ts'
import type { Plans } from '@agentm/workspace'

type Change = (opened: Plans, name: string, who: ReturnType<typeof by>) => Promise<Answer>

export const schedulePause = changing(
  'make no starts until the schedule is resumed; plans that run go on',
  async ({ harness }, name, who) => {
    await harness.pauseSchedule(name, who)
    return said(`Paused ${name}. To continue it: ${commandWord()} schedule resume ${name}`, { name, paused: true })
  },
)

export const scheduleResume = changing(
  'continue a paused schedule; starts during the pause are left out',
  async ({ harness }, name, who) => {
    await harness.resumeSchedule(name, who)
    const { next, schedule } = await harness.scheduleHistory(name)
    const [first] = next
    const when = first === undefined ? 'It makes no more starts.' : `Next start: ${timeIn(schedule.zone, first)}.`
    return said(`Resumed ${name}. ${when}`, { name, paused: false, next })
  },
)

export const scheduleRun = changing(
  'start the plan of a schedule now, also while it is paused; its next start does not change',
  async ({ harness }, name, who) => {
    const { planId, steps } = await harness.runSchedule(name, who)
    const short = shortId(planId)
    return said(`Started ${short}. A worker runs it; to run it here: ${commandWord()} run ${short}`, {
      name,
      planId,
      steps,
    })
  },
)

export const scheduleRemove = changing(
  'make no more starts; plans that run go on, and the history stays in the log',
  async ({ harness }, name, who) => {
    const { running } = await harness.scheduleHistory(name)
    await harness.removeSchedule(name, who)
    const left = running.map(
      (id) => `\n  still running: ${shortId(id)}. To end it: ${commandWord()} cancel ${shortId(id)}`,
    )
    return said(`Removed ${name}.${left.join('')}`, { name, removed: true, running })
  },
)

function changing(summary: string, change: Change): Command {
  return {
    takes: 'NAME',
    summary,
    options: reasonOption,
    run: (call: Call) => {
      const name = call.args[0] ?? ''
      return changingPlans(call, (opened) =>
        namedSchedule(opened.harness, name, () => change(opened, name, by(call, opened.owner))),
      )
    },
  }
}

function said(text: string, data: unknown): Answer {
  return { text, data }
}
