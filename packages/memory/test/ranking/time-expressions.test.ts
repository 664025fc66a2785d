import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asksForLatest, closeness, timeSpans } from '../../src/ranking/pure/time-expressions.ts'

// A Wednesday.
const now = Date.UTC(2024, 4, 15, 12)
const dayMs = 86_400_000

function daysOf(text: string): string[] {
  return timeSpans(text, now).map(({ from, to }) => `${date(from)}..${date(to - 1)}`)
}

function date(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

describe('timeSpans', () => {
  it.each([
    ['on 8 May, 2023', ['2023-05-08..2023-05-08']],
    ['the 8th of May 2023', ['2023-05-08..2023-05-08']],
    ['on October 13, 2023', ['2023-10-13..2023-10-13']],
    ['2023-05-08', ['2023-05-08..2023-05-08']],
    ['since 2023-05', ['2023-05-01..2023-05-31']],
    ['in July 2023', ['2023-07-01..2023-07-31']],
    ['mid-August, 2023', ['2023-08-01..2023-08-31']],
    ['in 2023', ['2023-01-01..2023-12-31']],
    ['summer 2023', ['2023-06-01..2023-08-31']],
    ['last winter', ['2023-12-01..2024-02-29']],
    ['Q3 2023', ['2023-07-01..2023-09-30']],
    ['last March', ['2024-03-01..2024-03-31']],
    ['last June', ['2023-06-01..2023-06-30']],
    ['in June', ['2023-06-01..2023-06-30', '2022-06-01..2022-06-30', '2021-06-01..2021-06-30']],
    ['on May 3', ['2024-05-03..2024-05-03', '2023-05-03..2023-05-03', '2022-05-03..2022-05-03']],
    ['today', ['2024-05-15..2024-05-15']],
    ['yesterday', ['2024-05-14..2024-05-14']],
    ['the day before yesterday', ['2024-05-13..2024-05-13']],
    ['three days ago', ['2024-05-12..2024-05-12']],
    ['two weeks ago', ['2024-04-27..2024-05-05']],
    ['in the last 10 days', ['2024-05-06..2024-05-15']],
    ['last week', ['2024-05-06..2024-05-12']],
    ['this week', ['2024-05-13..2024-05-19']],
    ['last month', ['2024-04-01..2024-04-30']],
    ['last year', ['2023-01-01..2023-12-31']],
    ['last weekend', ['2024-05-11..2024-05-12']],
    ['last Monday', ['2024-05-13..2024-05-13']],
    ['on Wednesday', ['2024-05-08..2024-05-08']],
    ['the week before August 3, 2023', ['2023-07-27..2023-08-02']],
    ['two weeks before August 11, 2023', ['2023-07-24..2023-08-01']],
    ['between 1 May 2023 and 3 May 2023', ['2023-05-01..2023-05-01', '2023-05-03..2023-05-03']],
    ['31 April 2023', []],
    ['2023-13-45', []],
    ['May I ask who may march?', []],
    ['port 2024 and error 1999', []],
    ['', []],
  ])('reads %j as %j', (text, spans) => {
    expect(daysOf(text)).toEqual(spans)
  })

  it('finds only real spans, in any text', () => {
    const word = fc.constantFrom(
      'last',
      'in',
      'may',
      'week',
      '31',
      '2024',
      'ago',
      'two',
      'before',
      'on',
      'monday',
      ' ',
      ',',
      '-',
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(word, fc.string({ maxLength: 4 }))),
        fc.date({ noInvalidDate: true }),
        (words, at) => {
          for (const { from, to } of timeSpans(words.join(' '), at.getTime())) expect(to).toBeGreaterThan(from)
        },
      ),
    )
  })
})

describe('closeness', () => {
  it.each([
    ['at its beginning', 0, 1],
    ['on its last day', 30, 1],
    ['half a month after', 45, 0.5],
    ['three days before', -3, 0.5],
  ])('falls off outside a span, faster before than after: %s', (_, day, expected) => {
    const may = timeSpans('in May 2023', now)
    expect(closeness(Date.UTC(2023, 4, 1) + day * dayMs, may)).toBeCloseTo(expected)
  })

  it('is 0 where no time is named', () => {
    expect(closeness(now, [])).toBe(0)
  })
})

describe('asksForLatest', () => {
  it.each([
    ['Which port does it use now?', true],
    ['who currently owns billing', true],
    ['What do we know about it?', false],
    ['knowledge of snow', false],
  ])('%j: %s', (text, latest) => {
    expect(asksForLatest(text)).toBe(latest)
  })
})
