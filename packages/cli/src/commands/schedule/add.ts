/** Adds a schedule that starts the plan of a file again and again. */
import {
  type CatchUpPolicy,
  isHarnessError,
  type NewSchedule,
  nextTimes,
  type Overlap,
  type Span,
} from '@agentm/harness'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import type { PlanFileSchedule } from '../../plan-file/plan-file-schema.ts'
import { commandWord, typed } from '../../typed.ts'
import { inputOption, placedHere, planOfFile, readPlanFile } from '../plan/read-plan-file.ts'
import { withPlans } from '../plan/with-plans.ts'
import { by, reasonOption } from '../plan/control.ts'
import { helpLines, timeIn, timingText } from './schedule-text.ts'

export const scheduleAdd: Command = {
  takes: 'NAME FILE',
  summary: 'start a plan again and again, by a cron expression or an interval',
  details:
    'FILE is a plan file, as agentm plan new takes it; - reads standard input. Options replace the schedule in the file. Each start creates a new plan of it, and agentm worker makes the ' +
    'starts. In its texts, {{scheduledFor}} is replaced by the time of the start, and {{scheduledDate}} by the date. A cron expression has five ' +
    'fields: minute, hour, day of month, month, weekday; or it is @hourly, @daily, @weekly, @monthly or @yearly. When the clock is set forward, a ' +
    'daily start in the skipped hour is made right after it; when it is set back, a daily start is made once.',
  options: {
    cron: { value: 'EXPR', help: 'when to start, such as "0 9 * * 1-5" for 9:00 on weekdays' },
    every: { value: 'TIME', help: 'instead of --cron: the time between two starts, such as "15 minutes"' },
    zone: { value: 'ZONE', help: 'the time zone of --cron, such as Europe/Berlin (default: the zone of this machine)' },
    'catch-up': {
      value: 'WHICH',
      help: 'what to do with starts that were missed: skip, last, or all (default: last)',
    },
    'catch-up-within': { value: 'TIME', help: 'catch up nothing that is later than this (default for all: 7 days)' },
    'catch-up-max': { value: 'N', help: 'with --catch-up all: at most this many starts (default: 100)' },
    overlap: {
      value: 'HOW',
      help: 'if the previous plan still runs: skip the start, queue one start, allow both, or replace the previous plan (default: skip)',
    },
    jitter: { value: 'TIME', help: 'delay each start by up to this time (default: none)' },
    from: { value: 'WHEN', help: 'make no start before this time, such as 2026-12-01 or 2026-12-01T09:00' },
    until: { value: 'WHEN', help: 'make no start after this time' },
    title: { value: 'TEXT', help: 'use this goal instead of the one in the file' },
    ...inputOption,
    replace: { help: 'change the schedule if it exists' },
    'dry-run': { help: 'add nothing; print the next 5 times' },
    cwd: { value: 'DIR', help: 'run as if started in this directory' },
    ...reasonOption,
  },
  async run(call) {
    const [name = '', path = ''] = call.args
    const file = await readPlanFile(call, path)
    if (file.trees !== undefined && file.trees !== 'none')
      throw new UsageError(
        `${path} says trees: ${file.trees}, but plans of a schedule work in the folder itself. Remove that line.`,
      )
    const plan = planOfFile(call, file)
    const times = timesOf(call, file.schedule)
    if (call.has('dry-run')) return preview({ ...times, plan })
    return withPlans(call, async (opened) => {
      const placed = await placedHere(plan, call)
      const options = { replace: call.has('replace'), ...by(call, opened.owner) }
      const { change, scheduleId } = await adding(name, () =>
        opened.harness.schedule(name, { ...times, plan: placed }, options),
      )
      const standing = await opened.harness.scheduleHistory(name)
      const { schedule, next } = standing
      const said = { added: 'Added', changed: 'Changed', unchanged: 'This schedule already exists:' }[change]
      const [first] = next
      const when = first === undefined ? '' : ` Next start: ${timeIn(schedule.zone, first)}.`
      const text = [`${said} ${name}, ${timingText(schedule)}.${when}`, ...helpLines(standing, opened.policy.kinds)]
      return { text: typed(text.join('\n')), data: { scheduleId, name, change, next } }
    })
  },
}

async function adding<T>(name: string, add: () => Promise<T>): Promise<T> {
  try {
    return await add()
  } catch (error) {
    if (!isHarnessError(error, 'IDEMPOTENCY_CONFLICT')) throw error
    throw new UsageError(
      `there is another schedule named ${name}. To change it, add --replace. To see it: ${commandWord()} schedule show ${name}`,
    )
  }
}

/** Everything but the plan: from the options, else from the file. The harness checks it. */
function timesOf(call: Call, written: PlanFileSchedule = {}): Omit<NewSchedule, 'plan'> {
  const isTimed = call.get('cron') !== undefined || call.get('every') !== undefined
  const { cron, every, catchUp, ...others } = written
  const file: Readonly<Record<string, string | undefined>> = {
    ...others,
    ...(catchUp && { 'catch-up': catchUp }),
    ...(!isTimed && cron !== undefined && { cron }),
    ...(!isTimed && every !== undefined && { every }),
  }
  const get: Call['get'] = (name) => call.get(name) ?? file[name]
  const given = {
    cron: get('cron'),
    every: get('every') as Span | undefined,
    zone: get('zone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    catchUp: catchUpOf(get),
    overlap: oneOf('overlap', get('overlap'), overlaps),
    jitter: get('jitter') as Span | undefined,
    startsAt: get('from'),
    endsAt: get('until'),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const overlaps: readonly Overlap[] = ['skip', 'queue', 'allow', 'replace']
const catchUps = ['skip', 'last', 'all'] as const

function catchUpOf(get: Call['get']): CatchUpPolicy | undefined {
  const missed = oneOf('catch-up', get('catch-up'), catchUps)
  const [within, most] = [get('catch-up-within') as Span | undefined, get('catch-up-max')]
  if (within === undefined && most === undefined) return missed
  const max = most === undefined ? undefined : Number(most)
  return { missed: missed ?? 'last', ...(within !== undefined && { within }), ...(max !== undefined && { max }) }
}

function oneOf<T extends string>(option: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined
  const known = allowed.find((each) => each === value)
  if (known === undefined) throw new UsageError(`--${option} is ${allowed.join(', ')}, not ${JSON.stringify(value)}.`)
  return known
}

function preview(schedule: NewSchedule): Answer {
  const times = nextTimes(schedule, { after: Date.now(), count: 5 })
  const zone = schedule.zone ?? 'UTC'
  const lines = times.map((at) => `  ${timeIn(zone, at.getTime())}`)
  return {
    text: ['Nothing was added. The next times:', ...lines].join('\n'),
    data: { dryRun: true, zone, times: times.map((at) => at.toISOString()) },
  }
}
