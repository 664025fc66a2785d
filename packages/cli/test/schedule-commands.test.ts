import type { Schedule } from '@agentm/harness'
import { expect, it } from 'vitest'
import { scheduleLine } from '../src/commands/schedule/schedule-text.ts'
import { marking, PlanWorld } from './plan-world.ts'

/** Every look takes a process, and a busy machine takes its time to start one. */
const patience = { timeout: 180_000 }

const report =
  'goal: report of {{scheduledDate}}\nsteps:\n  - { key: ask, kind: approval, input: { text: "Publish?" } }\n'

async function world(kinds = 'approval,command') {
  const { cli } = await PlanWorld.make({ kinds })
  await cli.file('repo/report.yaml', report)
  const agentm = (...args: readonly string[]) => cli.agentm(['schedule', ...args])
  return { cli, agentm }
}

it('adds, lists, shows, pauses, resumes, runs and removes a schedule', patience, async () => {
  const { cli, agentm } = await world()
  const added = await agentm('add', 'nightly', 'report.yaml', '--cron', '30 2 * * *', '--zone', 'Europe/Berlin')
  expect(added).toMatchObject({ code: 0 })
  expect(added.out).toMatch(
    /^Added nightly, "30 2 \* \* \*" in Europe\/Berlin\. Next start: \w{3} \d{4}-\d\d-\d\d 02:30:00 /,
  )
  expect(added.out).toContain('no worker is running, so nothing is started')
  const again = await agentm('add', 'nightly', 'report.yaml', '--cron', '30 2 * * *', '--zone', 'Europe/Berlin')
  expect(again.out).toContain('This schedule already exists: nightly')
  const other = await agentm('add', 'nightly', 'report.yaml', '--cron', '30 3 * * *', '--zone', 'Europe/Berlin')
  expect(other).toMatchObject({ code: 2 })
  expect(other.err).toContain('there is another schedule named nightly. To change it, add --replace.')
  const { out } = await cli.agentm(['status'])
  expect(out).toMatch(/\n1 schedule starts plans; next: nightly at \S+Z\. To list them: agentm schedule list\n$/)
  const checked = await cli.agentm(['doctor'])
  expect(checked.out).toContain(
    'schedules [WARN] nightly: no worker is running, so nothing is started. To change that: agentm worker',
  )
  expect((await agentm('list')).out).toMatch(/^nightly {2}"30 2 \* \* \*" in Europe\/Berlin {2}next /)

  expect((await agentm('pause', 'nightly', '--reason', 'holiday')).code).toBe(0)
  const paused = (await agentm('show', 'nightly')).out
  expect(paused).toContain('holiday')
  expect(paused).toContain('agentm schedule resume nightly')
  const started = await cli.json(['schedule', 'run', 'nightly'])
  expect((await agentm('resume', 'nightly')).out).toMatch(/^Resumed nightly\. Next start: /)
  const shown = (await agentm('show', 'nightly')).out
  expect(shown).toMatch(/started \w+, by hand: open/)
  const { plans } = (await cli.json(['status', String(started['planId'])])) as { plans: readonly { goal: string }[] }
  expect(plans[0]?.goal).toMatch(/^report of \d{4}-\d\d-\d\d$/)

  expect((await agentm('remove', 'nightly')).out).toMatch(/^Removed nightly\.\n {2}still running: /)
  expect((await agentm('list')).out).toContain('There are no schedules.')
})

it('prints the next times in the zone of the schedule, and adds nothing', patience, async () => {
  const { cli, agentm } = await world()
  const args = ['report.yaml', '--cron', '0 9 * * 1-5', '--zone', 'America/New_York', '--dry-run']
  const { out, code } = await agentm('add', 'weekdays', ...args)
  expect(code).toBe(0)
  const lines = out.trimEnd().split('\n')
  expect(lines).toHaveLength(6)
  for (const line of lines.slice(1))
    expect(line).toMatch(/^ {2}(?:Mon|Tue|Wed|Thu|Fri) \d{4}-\d\d-\d\d 09:00:00 (?:EST|EDT|GMT-[45])$/)
  expect(await cli.json(['schedule', 'list'])).toEqual({ schedules: [] })
})

it('says what is wrong with a call', patience, async () => {
  const { agentm } = await world()
  const add = async (...args: readonly string[]) => (await agentm('add', 'a', 'report.yaml', ...args)).err
  expect(await add()).toContain('it says no time')
  expect(await add('--cron', '0 9 * *')).toContain('is no cron expression')
  expect(await add('--every', '5 fortnights')).toContain('is no length of time')
  expect(await add('--every', '1 hour', '--zone', 'Mars/Olympus')).toContain('there is no time zone "Mars/Olympus"')
  expect(await add('--every', '1 hour', '--overlap', 'both')).toContain('--overlap is skip, queue, allow, replace')
  expect(await add('--every', '1 hour', '--catch-up-max', 'x')).toContain('must be a whole number from 1 to 1,000')
  expect((await agentm('add', 'two words', 'report.yaml', '--every', '1 hour')).err).toContain(
    'is no name for a schedule',
  )
  await agentm('add', 'nightly', 'report.yaml', '--every', '1 hour')
  const wrong = await agentm('pause', 'nightyl')
  expect(wrong).toMatchObject({ code: 2 })
  expect(wrong.err).toContain('there is no schedule named "nightyl". Did you mean nightly?')
})

it('starts and runs its plans in a worker, and says what it started', patience, async () => {
  const { cli, agentm } = await world()
  await cli.file('repo/mark.yaml', `goal: mark\nsteps:\n${marking('a')}`)
  await agentm('add', 'often', 'mark.yaml', '--every', '1 second')
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect((await cli.agentm(['worker', '--once'])).code).toBe(0)
  expect((await agentm('show', 'often')).out).toMatch(/started \w+.*: done/)
})

it('names the kind of step that no worker runs, and the command that helps', () => {
  const schedule: Schedule = {
    ownerUserId: 'ada',
    name: 'often',
    status: 'active',
    everyMs: 3_600_000,
    anchor: '2026-11-19T00:00:00.000Z',
    zone: 'UTC',
    jitterMs: 0,
    catchUp: { missed: 'last', max: 100 },
    overlap: 'skip',
    plan: { goal: 'g', steps: [] },
    backlog: [],
    running: [],
  }
  const next = [Date.parse('2026-11-19T13:00:00Z')]
  const standing = { scheduleId: 's', name: 'often', schedule, partition: '_global', next, running: [], now: 0 }
  expect(scheduleLine({ ...standing, workers: 1, lacks: ['command'] }, ['approval'])).toBe(
    [
      'often  every 1 h 0 min  next Thu 2026-11-19 13:00:00 UTC',
      '  no worker runs steps of kind command',
      '             agentm config set harness.kinds approval,command && agentm worker',
    ].join('\n'),
  )
  expect(scheduleLine({ ...standing, workers: 0, lacks: ['command'] }, [])).toContain('no worker is running')
  expect(scheduleLine({ ...standing, workers: 1, lacks: [] }, []).split('\n')).toHaveLength(1)
})
