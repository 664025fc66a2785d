import { describe, expect, it } from 'vitest'
import { intervalSlots, slotsWithin } from '../../../src/schedules/pure/slots.ts'
import { slotsAfter } from '../../../src/schedules/pure/upcoming.ts'
import { slotsOf } from '../../../src/schedules/slots-of.ts'

const anchor = '2026-01-01T00:00:00.000Z'
const cron = (expression: string, zone: string) => slotsOf({ cron: expression, anchor, zone })

function times(expression: string, zone: string, { after, count }: { readonly after: string; readonly count: number }) {
  const found = slotsAfter(cron(expression, zone), Date.parse(after), { count })
  return found.map((at) => new Date(at).toISOString().slice(0, 16))
}

describe('the times of a cron expression', () => {
  it.each([
    // Europe/Berlin skips 02:00–03:00 on 2026-03-29, and has 02:00–03:00 twice on 2026-10-25.
    ['30 2 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30'], 'runs right after a gap'],
    ['30 2 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30'], 'runs once in an hour that repeats'],
    ['0 9 * * *', '2026-03-28T12:00Z', ['2026-03-29T07:00', '2026-03-30T07:00'], 'keeps the time on the clock'],
    ['0 * * * *', '2026-03-29T00:30Z', ['2026-03-29T01:00', '2026-03-29T02:00'], 'every hour: one per real hour'],
    [
      '0 * * * *',
      '2026-10-24T23:30Z',
      ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
      'every hour: none is lost or doubled',
    ],
    ['*/20 2 * * *', '2026-03-28T12:00Z', ['2026-03-30T00:00'], 'several in a skipped hour: none of them exists'],
  ])('%s after %s: %s (%s)', (expression, after, expected) => {
    expect(times(expression, 'Europe/Berlin', { after, count: expected.length })).toEqual(expected)
  })

  it('has the same times backwards as forwards, around every change of the clock', () => {
    for (const zone of ['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe'])
      for (const expression of ['*/30 * * * *', '30 2 * * *', '*/20 2 * * *', '15 1-4 * * *', '0 0 * * *'])
        for (const [from, to] of [
          ['2026-03-28', '2026-03-31'],
          ['2026-04-04', '2026-04-06'],
          ['2026-09-05', '2026-09-07'],
          ['2026-10-03', '2026-10-05'],
          ['2026-10-24', '2026-11-02'],
        ] as const) {
          const slots = cron(expression, zone)
          const [start, end] = [Date.parse(from), Date.parse(to)]
          const forwards = slotsAfter(slots, start, { to: end - 1 })
          const backwards: number[] = []
          for (let at = slots.previous(end); at !== undefined && at > start; at = slots.previous(at))
            backwards.unshift(at)
          expect(backwards, `${expression} ${zone} ${from}`).toEqual(forwards.slice(0, backwards.length))
          expect(backwards.length, `${expression} ${zone} ${from}`).toBe(forwards.length)
        }
  })
})

it('finds the time that a moment within the same second has just passed', () => {
  const slots = cron('0 12 * * *', 'UTC')
  const noon = Date.parse('2026-11-19T12:00:00Z')
  expect([slots.previous(noon + 1), slots.next(noon - 1), slots.next(noon + 500)]).toEqual([
    noon,
    noon,
    noon + 86_400_000,
  ])
  expect(slots.previous(noon)).toBe(noon - 86_400_000)
})

describe('the times of an interval', () => {
  const slots = intervalSlots({ everyMs: 100, anchor: 1000 })

  it('are whole intervals after the anchor, which is the first', () => {
    expect([slots.next(0), slots.next(999), slots.next(1000), slots.next(1050)]).toEqual([1000, 1000, 1100, 1100])
    expect([slots.previous(1000), slots.previous(1001), slots.previous(1100), slots.previous(1101)]).toEqual([
      undefined,
      1000,
      1000,
      1100,
    ])
  })

  it('lie between the limits, both included', () => {
    const within = slotsWithin(slots, { from: 1100, to: 1300 })
    expect(slotsAfter(within, 0, {})).toEqual([1100, 1200, 1300])
    expect([within.previous(5000), within.previous(1100)]).toEqual([1300, undefined])
  })
})
