/** Schedules as a person reads them. Times are those of the clocks in the zone of the schedule. */
import type { Schedule, ScheduleEventNow, ScheduleHistory, ScheduleStanding } from '@agentm/harness'
import { durationText } from '../plan/pure/duration-text.ts'
import { shortId } from '../plan/pure/short-id.ts'
import { oneLine } from '../plan/pure/state-text.ts'
import { standstillOf } from '@agentm/workspace/health'

/** One line, and the next line says what keeps its plans from running. */
export function scheduleLine(standing: ScheduleStanding, allowed: readonly string[]): string {
  const { name, schedule, next } = standing
  const [first] = next
  const when = first === undefined ? statusText(standing) : `next ${timeIn(schedule.zone, first)}`
  const head = `${name}  ${timingText(schedule)}  ${schedule.status === 'paused' ? 'paused' : when}`
  return [head, ...runningLines(standing), ...helpLines(standing, allowed)].join('\n')
}

export function historyText(history: ScheduleHistory, allowed: readonly string[]): string {
  const { schedule, next, events } = history
  const times = next.slice(1).map((at) => `  then       ${timeIn(schedule.zone, at)}`)
  return [
    scheduleLine(history, allowed),
    `  plan       ${oneLine(String(schedule.plan['goal']))}`,
    `  catch-up   ${catchUpText(schedule)}`,
    `  overlap    ${overlapTexts[schedule.overlap]}`,
    ...(schedule.jitterMs === 0 ? [] : [`  jitter     up to ${durationText(schedule.jitterMs)}`]),
    ...(schedule.endsAt === undefined ? [] : [`  ends       ${timeIn(schedule.zone, Date.parse(schedule.endsAt))}`]),
    ...times,
    ...(events.length === 0 ? ['  Nothing was started yet.'] : ['  last, newest first:']),
    ...events.map((event) => `    ${eventText(event, schedule.zone)}`),
  ].join('\n')
}

/** `every 15 min`, or the cron expression and its zone. */
export function timingText({ cron, everyMs, zone }: Pick<Schedule, 'cron' | 'everyMs' | 'zone'>): string {
  return cron === undefined ? `every ${durationText(everyMs ?? 0)}` : `"${oneLine(cron)}" in ${zone}`
}

/** `Thu 2026-11-19 09:00:00 GMT+1`. */
export function timeIn(zone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  })
  const part = Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  const date = `${part['year']}-${part['month']}-${part['day']}`
  return `${part['weekday']} ${date} ${part['hour']}:${part['minute']}:${part['second']} ${part['timeZoneName']}`
}

function statusText({ schedule: { status } }: ScheduleStanding): string {
  return status === 'ended' ? 'ended' : 'makes no more starts'
}

function runningLines({ running, schedule }: ScheduleStanding): readonly string[] {
  const waits = schedule.backlog.length
  return [
    ...running.map((planId) => `  running    ${shortId(planId)}`),
    ...(waits === 0
      ? []
      : [`  waiting    ${waits === 1 ? 'one start waits' : `${waits} starts wait`} for the previous plan`]),
  ]
}

export function helpLines(
  { workers, lacks, schedule, name }: ScheduleStanding,
  allowed: readonly string[],
): readonly string[] {
  if (schedule.status === 'paused') return [`  paused${saidBy(schedule)}\n             agentm schedule resume ${name}`]
  const stands = standstillOf({ workers, lacks, schedule }, allowed)
  return stands === undefined ? [] : [`  ${stands.why}\n             ${stands.help}`]
}

function saidBy({
  actor,
  reason,
}: {
  readonly actor?: string | undefined
  readonly reason?: string | undefined
}): string {
  return `${actor === undefined ? '' : ` by ${oneLine(actor)}`}${reason === undefined ? '' : `: ${oneLine(reason)}`}`
}

function catchUpText({ catchUp: { missed, withinMs, max } }: Schedule): string {
  const within = withinMs === undefined ? '' : `, not later than ${durationText(withinMs)}`
  if (missed === 'all') return `every missed start, at most ${max}${within}`
  return missed === 'last' ? `the last missed start${within}` : 'none'
}

const overlapTexts: Readonly<Record<Schedule['overlap'], string>> = {
  allow: 'allow: plans may run at the same time',
  skip: 'skip: no start while the previous plan runs',
  queue: 'queue: one start waits for the previous plan',
  replace: 'replace: a start cancels the previous plan',
}

const skipTexts: Readonly<Record<Extract<ScheduleEventNow, { what: 'skipped' }>['why'], string>> = {
  missed: 'no worker was running',
  'too old': 'too late to catch up',
  'over the maximum': 'more than may be caught up',
  'still running': 'the previous plan was running',
  'one waits': 'a start was waiting already',
  replaced: 'a later start replaced it',
  paused: 'the schedule was paused',
}

const startTexts: Readonly<Record<Extract<ScheduleEventNow, { what: 'started' }>['as'], string>> = {
  due: '',
  missed: ', caught up',
  queued: ', waited for the previous plan',
  'by hand': ', by hand',
}

function eventText(event: ScheduleEventNow, zone: string): string {
  const time = (at: string) => timeIn(zone, Date.parse(at))
  switch (event.what) {
    case 'started':
      return `${time(event.slot)}  started ${shortId(event.planId)}${startTexts[event.as]}: ${event.planStatus ?? 'removed from the log'}`
    case 'skipped': {
      const { from, to, count, more = false, why } = event
      const which = count === 1 ? 'skipped' : `skipped ${more ? 'more than ' : ''}${count} until ${time(to)}`
      return `${time(from)}  ${which}: ${skipTexts[why]}`
    }
    case 'failed':
      return `${time(event.slot)}  failed: ${oneLine(event.message)}`
    default:
      return `${timeIn(zone, event.at)}  ${event.change}${saidBy(event)}`
  }
}
