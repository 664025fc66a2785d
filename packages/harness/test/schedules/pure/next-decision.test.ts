import { describe, expect, it } from 'vitest'
import { iso } from '../../../src/schedules/pure/catch-up.ts'
import { nextDecision, type ScheduleView } from '../../../src/schedules/pure/next-decision.ts'
import { intervalSlots, slotsWithin } from '../../../src/schedules/pure/slots.ts'
import { startTime } from '../../../src/schedules/pure/start-time.ts'
import type { CatchUp, Overlap, Schedule } from '../../../src/schedules/schedule.ts'

const hour = 3_600_000
const start = Date.parse('2026-11-19T00:00:00Z')
const at = (hours: number): number => start + hours * hour
const hourOf = (time: number | string): number => ((typeof time === 'number' ? time : Date.parse(time)) - start) / hour

interface Given {
  readonly now: number
  readonly slot?: number
  readonly catchUp?: Partial<CatchUp>
  readonly overlap?: Overlap
  readonly running?: readonly string[]
  readonly backlog?: readonly number[]
  readonly endsAt?: number
  readonly jitterMs?: number
}

/** Every full hour; times are hours. */
function view({
  now,
  slot = 1,
  catchUp = {},
  overlap = 'skip',
  running = [],
  backlog = [],
  ...more
}: Given): ScheduleView {
  const slots = slotsWithin(intervalSlots({ everyMs: hour, anchor: start }), { to: at(more.endsAt ?? Infinity) })
  const schedule: Schedule = {
    ownerUserId: 'ada',
    name: 'hourly',
    status: backlog.length > 0 ? 'waiting' : 'active',
    everyMs: hour,
    anchor: iso(start),
    zone: 'UTC',
    jitterMs: more.jitterMs ?? 0,
    catchUp: { missed: 'last', max: 100, ...catchUp },
    overlap,
    plan: {},
    slot: iso(at(slot)),
    slotAt: iso(at(slot)),
    backlog: backlog.map((each) => ({ slot: iso(at(each)), as: 'queued' as const })),
    running: [...running],
  }
  return { id: 'v1:harness:schedule:a', schedule, slots, running, now: at(now) }
}

function decided(given: Given) {
  const decision = nextDecision(view(given))
  if (decision === undefined) return undefined
  const { start: begun, cancel, skipped, backlog, status, next } = decision
  return {
    ...(begun && { start: hourOf(begun.slot), as: begun.as }),
    ...(cancel.length > 0 && { cancel }),
    ...(skipped.length > 0 && {
      skipped: skipped.map((each) => `${hourOf(each.from)}-${hourOf(each.to)} ${each.count} ${each.why}`),
    }),
    ...(backlog.length > 0 && { backlog: backlog.map(({ slot }) => hourOf(slot)) }),
    status,
    ...(next && { next: hourOf(next.slot) }),
  }
}

describe('the decision about a schedule', () => {
  it.each<[string, Given, ReturnType<typeof decided>]>([
    ['nothing is due', { now: 0.99 }, undefined],
    ['on time', { now: 1 }, { start: 1, as: 'due', status: 'active', next: 2 }],
    [
      'half a minute late is on time',
      { now: 1 + 0.5 / 60, catchUp: { missed: 'skip' } },
      { start: 1, as: 'due', status: 'active', next: 2 },
    ],
    ['the last one', { now: 3, slot: 3, endsAt: 3 }, { start: 3, as: 'due', status: 'ended' }],
    // An outage over hours 1 to 4; the worker is back half an hour later.
    ['skip', { now: 4.5, catchUp: { missed: 'skip' } }, { skipped: ['1-4 4 missed'], status: 'active', next: 5 }],
    ['last', { now: 4.5 }, { start: 4, as: 'missed', skipped: ['1-3 3 missed'], status: 'active', next: 5 }],
    [
      'last, too late',
      { now: 4.5, catchUp: { withinMs: hour / 4 } },
      { skipped: ['1-3 3 missed', '4-4 1 too old'], status: 'active', next: 5 },
    ],
    [
      'all, one after another',
      { now: 4.5, catchUp: { missed: 'all' } },
      { start: 1, as: 'missed', backlog: [2, 3, 4], status: 'waiting', next: 5 },
    ],
    [
      'all, not too old',
      { now: 4.5, catchUp: { missed: 'all', withinMs: 2 * hour } },
      { start: 3, as: 'missed', skipped: ['1-2 2 too old'], backlog: [4], status: 'waiting', next: 5 },
    ],
    [
      'all, at most two',
      { now: 4.5, catchUp: { missed: 'all', max: 2 } },
      { start: 3, as: 'missed', skipped: ['1-2 2 over the maximum'], backlog: [4], status: 'waiting', next: 5 },
    ],
    [
      'all, and one on time',
      { now: 3, catchUp: { missed: 'all' } },
      { start: 1, as: 'missed', backlog: [2, 3], status: 'waiting', next: 4 },
    ],
    [
      'skip, and one on time',
      { now: 3, catchUp: { missed: 'skip' } },
      { start: 3, as: 'due', skipped: ['1-2 2 missed'], status: 'active', next: 4 },
    ],
    // The previous plan still runs.
    ['overlap: skip', { now: 1, running: ['p'] }, { skipped: ['1-1 1 still running'], status: 'active', next: 2 }],
    [
      'overlap: allow',
      { now: 1, running: ['p'], overlap: 'allow' },
      { start: 1, as: 'due', status: 'active', next: 2 },
    ],
    ['overlap: queue', { now: 1, running: ['p'], overlap: 'queue' }, { backlog: [1], status: 'waiting', next: 2 }],
    [
      'overlap: queue, and one waits',
      { now: 2, slot: 2, running: ['p'], overlap: 'queue', backlog: [1] },
      { skipped: ['2-2 1 one waits'], backlog: [1], status: 'waiting', next: 3 },
    ],
    [
      'overlap: queue, and it ended',
      { now: 1.5, slot: 2, overlap: 'queue', backlog: [1] },
      { start: 1, as: 'queued', status: 'active', next: 2 },
    ],
    [
      'overlap: queue, ended as the next is due',
      { now: 2, slot: 2, overlap: 'queue', backlog: [1] },
      { start: 1, as: 'queued', skipped: ['2-2 1 one waits'], status: 'active', next: 3 },
    ],
    [
      'overlap: replace',
      { now: 1, running: ['p', 'q'], overlap: 'replace' },
      { start: 1, as: 'due', cancel: ['p', 'q'], status: 'active', next: 2 },
    ],
    [
      'all waits for what runs',
      { now: 4.5, running: ['p'], catchUp: { missed: 'all' } },
      { backlog: [1, 2, 3, 4], status: 'waiting', next: 5 },
    ],
    [
      'all at once',
      { now: 4.5, running: ['p'], overlap: 'allow', catchUp: { missed: 'all' } },
      { start: 1, as: 'missed', backlog: [2, 3, 4], status: 'waiting', next: 5 },
    ],
    [
      'what waits and may overlap',
      { now: 4.5, slot: 5, running: ['p'], overlap: 'allow', backlog: [2, 3] },
      { start: 2, as: 'queued', backlog: [3], status: 'waiting', next: 5 },
    ],
    [
      'the last one waits',
      { now: 3, slot: 3, endsAt: 3, running: ['p'], overlap: 'queue' },
      { backlog: [3], status: 'waiting' },
    ],
  ])('%s', (_, given, expected) => {
    expect(decided(given)).toEqual(expected)
  })

  it('does not count all starts of an outage of a year', () => {
    const decision = decided({ now: 24 * 365 + 0.5 })
    expect(decision).toMatchObject({ start: 24 * 365, as: 'missed', skipped: [`1-${24 * 365 - 1} 1000 missed`] })
  })

  it('keeps no more waiting than the maximum', () => {
    const decision = decided({ now: 8.5, slot: 5, running: ['p'], catchUp: { missed: 'all', max: 2 }, backlog: [1, 2] })
    expect(decision).toMatchObject({
      backlog: [2, 7, 8],
      skipped: ['5-6 2 over the maximum', '1-1 1 over the maximum'],
    })
  })
})

describe('jitter', () => {
  const slots = intervalSlots({ everyMs: hour, anchor: start })
  const delay = (id: string, slot: number, jitterMs: number) => startTime(slot, { id, jitterMs, slots }) - slot

  it('is the same for the same start, differs between starts and schedules, and never reaches the next start', () => {
    expect(delay('a', at(1), hour)).toBe(delay('a', at(1), hour))
    const delays = Array.from({ length: 200 }, (_, n) => delay('a', at(n), 10 * hour))
    expect(new Set(delays).size).toBeGreaterThan(190)
    expect(delays.every((ms) => ms >= 0 && ms < hour)).toBe(true)
    expect(delay('a', at(1), hour)).not.toBe(delay('b', at(1), hour))
    expect(delay('a', at(1), 0)).toBe(0)
  })

  it('delays a start', () => {
    const { id } = view({ now: 1 })
    const late = (startTime(at(1), { id, jitterMs: hour, slots }) - at(1)) / hour
    expect(decided({ now: 1 + late - 0.0001, jitterMs: hour })).toBeUndefined()
    expect(decided({ now: 1 + late, jitterMs: hour, catchUp: { missed: 'skip' } })).toMatchObject({
      start: 1,
      as: 'due',
    })
  })
})
