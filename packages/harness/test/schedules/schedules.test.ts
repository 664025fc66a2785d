import { isNodesError } from '@agentm/nodes'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { durable, isHarnessError, type NewSchedule, nextTimes } from '../../src/index.ts'
import { type Setup, setup, steps } from '../../../../tools/harness-in-process.mjs'
import { standingClock } from './standing-clock.ts'

const day = 86_400_000
const plan = { goal: 'report of {{scheduledDate}}', steps: steps({ write: [] }) }
const nightly: NewSchedule = { cron: '30 2 * * *', zone: 'Europe/Berlin', plan }
const hourly: NewSchedule = { every: '1 hour', plan }

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const short = (lines: readonly string[]) => lines.map((line) => line.slice(11))

function world(...args: Parameters<typeof setup>): Setup {
  const made = setup(...args)
  open.push(made)
  return made
}

describe('a schedule', () => {
  it('starts a plan at its time, once, with the time in its texts and its input', async () => {
    const { harness, attend, go } = await standingClock('2026-11-19T12:00:00Z')
    await harness.schedule('nightly', nightly)
    await attend()
    expect(await harness.statuses()).toEqual([])
    go('2026-11-20T01:30:00Z')
    await attend()
    await attend()
    const [started, ...others] = await harness.statuses()
    expect(others).toEqual([])
    expect(started?.plan.payload).toMatchObject({
      goal: 'report of 2026-11-20',
      input: { schedule: 'nightly', scheduledFor: '2026-11-20T01:30:00.000Z' },
      scheduledFor: '2026-11-20T01:30:00.000Z',
    })
    const { next, running } = await harness.scheduleHistory('nightly')
    expect(running).toEqual([started?.plan.id])
    expect(new Date(next[0] ?? 0).toISOString()).toBe('2026-11-21T01:30:00.000Z')
  })

  it('starts plans with the check of its plan', async () => {
    const { harness, attend, go } = await standingClock('2026-11-19T12:00:00Z')
    const check = { commands: [{ command: 'npm', args: ['test'] }] }
    await harness.schedule('nightly', { ...nightly, plan: { ...plan, check } })
    go('2026-11-20T01:30:00Z')
    await attend()
    const [started] = await harness.statuses()
    const [step] = await harness.steps(started?.plan.id ?? '')
    expect([started?.plan.payload.check, step?.payload.check]).toEqual([
      { ...check, rounds: 3 },
      { ...check, rounds: 3 },
    ])
  })

  it.each([
    ['2026-03-28', ['2026-03-28T01:30 due', '2026-03-29T01:00 due', '2026-03-30T00:30 due']],
    ['2026-10-24', ['2026-10-24T00:30 due', '2026-10-25T00:30 due', '2026-10-26T01:30 due']],
  ])('runs once on each day, across the change of the clock after %s', async (from, expected) => {
    const { harness, attend, go, starts, end } = await standingClock(`${from}T00:00:00Z`)
    await harness.schedule('nightly', nightly)
    for (let quarter = 0; quarter < 3 * 96; quarter++) {
      await attend()
      await end('nightly')
      go(day / 96)
    }
    expect(await starts('nightly')).toEqual(expected)
  })

  it.each([
    ['skip', [], ['2026-11-20T01:30 3 missed']],
    ['last', ['2026-11-22T01:30 missed'], ['2026-11-20T01:30 2 missed']],
    ['all', ['2026-11-20T01:30 missed', '2026-11-21T01:30 missed', '2026-11-22T01:30 missed'], []],
  ] as const)('catches up after an outage of three days: %s', async (catchUp, started, skipped) => {
    const { harness, attend, go, starts, skips, end } = await standingClock('2026-11-19T12:00:00Z')
    await harness.schedule('nightly', { ...nightly, catchUp })
    go('2026-11-22T12:00:00Z')
    for (let i = 0; i < 5; i++) {
      await attend()
      expect((await harness.scheduleHistory('nightly')).running.length).toBeLessThanOrEqual(1)
      await end('nightly')
    }
    expect(await starts('nightly')).toEqual(started)
    expect(await skips('nightly')).toEqual(skipped)
  })

  it('starts everything that was missed at once, where plans may overlap', async () => {
    const { harness, attend, go, starts } = await standingClock('2026-11-19T12:00:00Z')
    await harness.schedule('hourly', { ...hourly, catchUp: { missed: 'all', max: 3 }, overlap: 'allow' })
    go('2026-11-19T17:30:00Z')
    await attend()
    expect(await starts('hourly')).toEqual(['15', '16', '17'].map((hour) => `2026-11-19T${hour}:00 missed`))
    expect((await harness.scheduleHistory('hourly')).running).toHaveLength(3)
  })

  it.each([
    ['skip', ['12:30 due'], ['13:00 1 still running', '13:30 1 still running', '14:00 1 still running']],
    ['allow', ['12:30 due', '13:00 due', '13:30 due', '14:00 due'], []],
    ['queue', ['12:30 due', '13:00 queued'], ['13:30 1 one waits', '14:00 1 one waits']],
    ['replace', ['12:30 due', '13:00 due', '13:30 due', '14:00 due'], []],
  ] as const)('when the previous plan still runs: %s', async (overlap, started, skipped) => {
    const { harness, attend, go, starts, skips } = await standingClock('2026-11-19T12:00:00Z')
    await harness.schedule('half-hourly', { every: '30 minutes', plan, overlap })
    for (const time of ['12:30', '13:00', '13:30', '14:00']) {
      go(`2026-11-19T${time}:00Z`)
      await attend()
    }
    // The first plan ends; with `replace`, it was cancelled long ago.
    const [first] = (await harness.scheduleHistory('half-hourly')).running
    await harness.cancelPlan(first ?? '')
    await attend()
    expect(short(await starts('half-hourly'))).toEqual(started)
    expect(short(await skips('half-hourly'))).toEqual(skipped)
    if (overlap !== 'replace') return
    const all = await harness.statuses({ newest: 10 })
    expect(all.map(({ plan: { status } }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled'])
    expect(all[1]?.plan.payload.errorMessage).toContain('replaces it')
  })

  it('makes no start before its first and after its last time, and then has ended', async () => {
    const { harness, attend, go, starts } = await standingClock('2026-11-19T12:00:00Z')
    const limits = { startsAt: '2026-11-19T16:00', endsAt: '2026-11-19T18:00:00+01:00', zone: 'Europe/Berlin' }
    await harness.schedule('hourly', { ...hourly, ...limits, overlap: 'allow' })
    for (let i = 0; i < 24; i++) {
      go(3_600_000)
      await attend()
    }
    expect(await starts('hourly')).toEqual(['15', '16', '17'].map((hour) => `2026-11-19T${hour}:00 due`))
    expect(await harness.schedules()).toMatchObject([{ name: 'hourly', next: [], schedule: { status: 'ended' } }])
  })

  it('makes no start while it is paused, and none of those that it missed', async () => {
    const { harness, attend, go, starts, skips } = await standingClock('2026-11-19T12:00:00Z')
    await harness.schedule('hourly', { ...hourly, catchUp: 'all', overlap: 'allow' })
    await harness.pauseSchedule('hourly', { actor: 'ada', reason: 'holiday' })
    go('2026-11-19T15:30:00Z')
    await attend()
    await harness.resumeSchedule('hourly')
    await attend()
    expect(await starts('hourly')).toEqual([])
    go('2026-11-19T16:00:00Z')
    await attend()
    expect(await starts('hourly')).toEqual(['2026-11-19T16:00 due'])
    expect(await skips('hourly')).toEqual(['2026-11-19T13:00 3 paused'])
  })

  it('can be started by hand, also while it is paused, and keeps its times', async () => {
    const { harness, attend, go, starts, skips } = await standingClock('2026-11-19T12:00:00Z')
    await harness.schedule('hourly', hourly)
    await harness.pauseSchedule('hourly')
    go('2026-11-19T12:20:00Z')
    const [one, two] = [await harness.runSchedule('hourly', { actor: 'ada' }), await harness.runSchedule('hourly')]
    expect(one.planId).not.toBe(two.planId)
    await harness.resumeSchedule('hourly')
    go('2026-11-19T13:00:00Z')
    await attend()
    expect(await starts('hourly')).toEqual(['2026-11-19T12:20 by hand', '2026-11-19T12:20 by hand'])
    // Plans that were started by hand are plans of the schedule, too.
    expect(await skips('hourly')).toEqual(['2026-11-19T13:00 1 still running'])
  })

  it('makes no start after it was removed, and its name can be used again', async () => {
    const { harness, attend, go, starts } = await standingClock('2026-11-19T12:00:00Z')
    await harness.schedule('hourly', hourly)
    await harness.removeSchedule('hourly')
    go('2026-11-19T13:00:00Z')
    await attend()
    expect(await harness.schedules()).toEqual([])
    const error = await harness.scheduleHistory('hourly').catch((fault: unknown) => fault)
    expect(isNodesError(error, 'ABSENT_NODE')).toBe(true)
    expect(await harness.schedule('hourly', hourly)).toMatchObject({ change: 'added' })
    go('2026-11-19T14:00:00Z')
    await attend()
    expect(await starts('hourly')).toEqual(['2026-11-19T14:00 due'])
  })

  it('is added once, refuses another definition, and takes it with replace', async () => {
    const { harness, go, attend, starts } = await standingClock('2026-11-19T12:00:00Z')
    expect(await harness.schedule('hourly', hourly)).toMatchObject({ change: 'added' })
    expect(await harness.schedule('hourly', hourly)).toMatchObject({ change: 'unchanged' })
    const other: NewSchedule = { cron: '15 * * * *', plan }
    const error = await harness.schedule('hourly', other).catch((fault: unknown) => fault)
    expect(isHarnessError(error, 'IDEMPOTENCY_CONFLICT')).toBe(true)
    expect(await harness.schedule('hourly', other, { replace: true })).toMatchObject({ change: 'changed' })
    go('2026-11-19T13:15:00Z')
    await attend()
    expect(await starts('hourly')).toEqual(['2026-11-19T13:15 due'])
  })

  it('goes on after a start whose plan the store refuses, and says why', async () => {
    const { harness, store, go, attend, starts } = await standingClock('2026-11-19T12:00:00Z')
    await harness.schedule('hourly', hourly)
    const scheduleId = (await harness.schedules())[0]?.scheduleId ?? ''
    const broken = { goal: 'g', steps: [{ key: 'a', title: 'a', kind: 'scripted', timeoutMs: 'soon' }] }
    const draft = {
      concept: 'v1:harness:schedule',
      id: scheduleId,
      payload: { plan: broken },
      mutation: 'test',
      update: true,
    }
    await store.log.append([draft], { owner: 'ada', actor: 'test' })
    go('2026-11-19T13:00:00Z')
    await attend()
    const { events, next } = await harness.scheduleHistory('hourly')
    expect(events[0]).toMatchObject({ what: 'failed', slot: '2026-11-19T13:00:00.000Z' })
    expect(new Date(next[0] ?? 0).toISOString()).toBe('2026-11-19T14:00:00.000Z')
    expect(await starts('hourly')).toEqual([])
  })

  it.each<[string, NewSchedule, string]>([
    ['no time', { plan }, 'it says no time'],
    ['two kinds of times', { cron: '* * * * *', every: 5000, plan }, 'both cron and every'],
    ['a cron expression with four fields', { cron: '* * * *', plan }, 'is no cron expression'],
    ['a minute that no hour has', { cron: '61 * * * *', plan }, 'is no cron expression'],
    ['a date that never comes', { cron: '0 0 30 2 *', plan }, 'names no time'],
    [
      'a zone that does not exist',
      { cron: '* * * * *', zone: 'Europe/Berln', plan },
      'there is no time zone "Europe/Berln"',
    ],
    ['an end that has passed', { every: '1 hour', endsAt: '2020-01-01', plan }, 'has passed'],
    ['an interval under a second', { every: 10, plan }, 'the shortest interval is 1 second'],
    [
      'a plan with a circle of names',
      { every: '1 hour', plan: { goal: 'g', steps: steps({ a: ['b'] }) } },
      'no step of this plan',
    ],
    [
      'a step with a wrong field',
      { every: '1 hour', plan: { goal: 'g', steps: steps({ a: [] }, { timeoutMs: -1 }) } },
      'the step "a": timeoutMs',
    ],
  ])('refuses %s', async (_, schedule, message) => {
    const { harness } = await standingClock('2026-11-19T12:00:00Z')
    const error = await harness.schedule('bad', schedule).catch((fault: unknown) => fault)
    expect(isHarnessError(error, 'INVALID_SCHEDULE')).toBe(true)
    expect(String(error)).toContain(message)
    expect(await harness.schedules()).toEqual([])
  })

  it('names all mistakes at once', async () => {
    expect(() => nextTimes({ zone: 'Mars', jitter: -1, plan }, { after: 0, count: 1 })).toThrow(
      /no time zone.*says no time.*jitter/,
    )
  })

  it('belongs to its owner', async () => {
    const { harness, store } = await standingClock('2026-11-19T12:00:00Z')
    await harness.schedule('hourly', hourly)
    const { openHarness } = await import('../../src/index.ts')
    const grace = openHarness({ store, owner: 'grace', actor: 'test' })
    expect(await grace.schedules()).toEqual([])
    expect(await grace.schedule('hourly', hourly)).toMatchObject({ change: 'added' })
  })
})

describe('a worker', () => {
  it('starts and runs what is due, and starts what waited as soon as the previous plan has ended', async () => {
    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const { harness, worker, ran } = world({
      async write() {
        await held
        return { end: 'done' }
      },
    })
    await worker({ pollMs: 3_600_000 })
    await harness.schedule('often', { every: '1 second', plan, overlap: 'queue' })
    await expect.poll(async () => (await harness.schedules())[0]?.schedule.status, { timeout: 5000 }).toBe('waiting')
    expect(ran).toEqual(['write'])
    release?.()
    await expect.poll(() => ran.length, { timeout: 2000 }).toBeGreaterThan(1)
    await harness.removeSchedule('often')
  })

  it('starts a durable function, which gets the time of its start', async () => {
    const seen: string[] = []
    const noting = durable('nightly', { input: z.object({ at: z.string() }) }, async (run, { at }) => {
      seen.push(await run.step('write', () => at))
      return { at }
    })
    const { harness, worker } = world()
    const step = noting.step({ at: '{{scheduledFor}}' })
    await harness.schedule('often', { every: '1 second', plan: { goal: 'nightly', steps: [step] } })
    await worker({ kinds: [noting] })
    await expect.poll(() => seen.length, { timeout: 5000 }).toBeGreaterThan(0)
    const { events } = await harness.scheduleHistory('often')
    const slots = events.flatMap((each) => (each.what === 'started' ? [each.slot] : []))
    expect(slots).toContain(seen[0])
    await harness.removeSchedule('often')
  })

  it('is idle only after it has run what was due when it began', async () => {
    const { harness, worker, ran } = world()
    await harness.schedule('often', { every: '1 second', plan })
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const once = await worker({ pollMs: 3_600_000 })
    await once.idle()
    expect(ran.length).toBeGreaterThan(0)
    await once.stop()
  })

  it('serves no schedules if it is limited to some plans', async () => {
    const { harness, worker, ran } = world()
    const { planId } = await harness.createPlan({ goal: 'mine', steps: steps({ mine: [] }) })
    await harness.schedule('often', { every: '1 second', plan })
    expect(await harness.schedules()).toMatchObject([{ workers: 0, lacks: ['scripted'] }])
    await worker({ plans: [planId] })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(ran).toEqual(['mine'])
    expect(await harness.schedules()).toMatchObject([{ workers: 0, lacks: ['scripted'] }])
    await worker()
    await expect.poll(() => ran.includes('write'), { timeout: 3000 }).toBe(true)
    expect(await harness.schedules()).toMatchObject([{ workers: 1, lacks: [] }])
  })
})
