import { keepSchedule } from '@agentm/learning'
import { lastDue, nextDue } from '../src/schedule/daily-schedule.ts'
import { describe, expect, it } from 'vitest'
import { dayMs, scripted, setup } from './consolidation-world.ts'

const at = (text: string) => Date.parse(text)

describe('a daily schedule', () => {
  const berlin = { at: '02:45', timeZone: 'Europe/Berlin' }
  it.each([
    [{ at: '02:45', timeZone: 'UTC' }, '2026-03-01T02:44:59.999Z', '2026-02-28T02:45Z', '2026-03-01T02:45Z'],
    [{ at: '02:45', timeZone: 'UTC' }, '2026-03-01T02:45:00.000Z', '2026-03-01T02:45Z', '2026-03-02T02:45Z'],
    [{ at: '00:10', timeZone: 'Pacific/Kiritimati' }, '2026-03-01T10:30Z', '2026-03-01T10:10Z', '2026-03-02T10:10Z'],
    [{ at: '23:50', timeZone: 'America/Los_Angeles' }, '2026-03-01T08:00Z', '2026-03-01T07:50Z', '2026-03-02T07:50Z'],
    [{ at: '05:00', timeZone: 'Asia/Kathmandu' }, '2026-03-01T00:00Z', '2026-02-28T23:15Z', '2026-03-01T23:15Z'],
    // The clocks go from two to three: 02:45 does not come, and what is shown then is 03:45.
    [berlin, '2026-03-29T12:00Z', '2026-03-29T01:45Z', '2026-03-30T00:45Z'],
    // The clocks go from three to two: 02:45 comes twice.
    [berlin, '2026-10-25T12:00Z', '2026-10-25T00:45Z', '2026-10-26T01:45Z'],
  ])('%j at %s was due at %s, and is at %s', (schedule, now, last, next) => {
    expect([lastDue(schedule, at(now)), nextDue(schedule, at(now))].map((due) => new Date(due).toISOString())).toEqual(
      [last, next].map((due) => new Date(at(due)).toISOString()),
    )
  })
})

/** Time passes in sleep alone; several keepers share it. */
function night(nights: number, start: string) {
  const world = setup({ distiller: scripted(), start: at(start) })
  const end = new AbortController()
  const until = world.now() + nights * dayMs
  const runtime = {
    now: world.now,
    sleep: async (ms: number) => {
      await new Promise((resolve) => setImmediate(resolve))
      world.tick(ms)
      if (world.now() >= until) end.abort()
    },
  }
  const reports: string[] = []
  const keep = async (owners: readonly string[] = ['ada']) =>
    keepSchedule({
      schedule: { at: '02:45', timeZone: 'UTC' },
      owners,
      runtime,
      signal: end.signal,
      run: async (request) => world.run(request),
      onReport: ({ owner, outcome, scheduledFor }: { owner: string; outcome: string; scheduledFor?: number }) =>
        reports.push(`${owner} ${outcome}${scheduledFor ?? ''}`),
    })
  return { ...world, keep, reports }
}

describe('keeping the schedule', () => {
  it('runs once a night, however many keep it', async () => {
    const { tell, keep, cursor, reports, beliefs } = night(3, '2026-03-01T12:00Z')
    await tell('The kettle of the kitchen is blue.')
    await Promise.all([keep(), keep(), keep()])
    expect(reports.filter((report) => report === 'ada done')).toHaveLength(3)
    expect(await beliefs()).toHaveLength(1)
    expect(await cursor()).toMatchObject({ scheduledFor: at('2026-03-04T02:45Z'), schedule: '02:45 UTC' })
  })

  it('makes up once for what was missed', async () => {
    const { tell, run, tick, keep, reports } = night(11, '2026-03-01T12:00Z')
    await tell('The kettle of the kitchen is blue.')
    await run({ scheduledFor: at('2026-03-01T02:45Z') })
    tick(10 * dayMs)
    await keep()
    expect(reports.filter((report) => report === 'ada done')).toHaveLength(2)
  })

  it('takes nothing for missed that was due before anything happened', async () => {
    const { tell, keep, reports } = night(0.5, '2026-03-01T12:00Z')
    await tell('The kettle of the kitchen is blue.')
    await keep()
    expect(reports).toEqual(['ada idle'])
  })

  it('serves each owner, and goes on when one fails', async () => {
    const { tell, keep, reports, beliefs } = night(1, '2026-03-01T12:00Z')
    for (const owner of ['ada', 'bob']) await tell('The kettle of the kitchen is blue.', { owner })
    await keep([' ', 'ada', 'bob'])
    expect(reports.filter((report) => report.endsWith('done'))).toEqual(['ada done', 'bob done'])
    expect([(await beliefs('ada')).length, (await beliefs('bob')).length]).toEqual([1, 1])
  })
})
