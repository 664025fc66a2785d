import { describe, expect, it } from 'vitest'
import { questionTerms } from '../../src/ranking/pure/question-terms.ts'
import { termsOf } from '../../src/ranking/pure/tokenize.ts'

const nothing = { documentFrequency: () => 0 }

describe('dates', () => {
  it.each([
    '2025-03-12',
    '2025-03-12T10:30',
    '12.03.2025',
    '12 March 2025',
    'March 12th, 2025',
    'the 12th of March 2025',
    '12. März 2025',
    'le 12 mars 2025',
    '12 de marzo de 2025',
    '12 марта 2025 года',
    '12 березня 2025',
    '12 Mart 2025',
    '12. maaliskuuta 2025',
    '2025. március 12',
    '2025년 3월 12일',
    '2025年3月12日',
  ])('are the same day in %j', (text) => {
    expect(stemsOf(text).has('@2025-3-12')).toBe(true)
    expect(stemsOf(text).has('@2025-3')).toBe(true)
    expect(questionTerms(text, nothing).map(({ stem }) => stem)).toEqual(['@2025-3-12', '@2025-3'])
  })

  it.each([
    ['notes of March 2025', ['note', '@2025-3']],
    ['what happened on 12 March', ['happen', '@-3-12']],
    ['2025-03', ['@2025-3']],
    ['they may march in 12 lines', ['march', '12', 'line']],
    ['version 20.19 of 2025', ['version', '20', '20.19', '2025']],
    ['2025-13-45', ['2025', '13', '45', '20251345']],
  ])('ask in %j for %j', (text, stems) => {
    expect(questionTerms(text, nothing).map(({ stem }) => stem)).toEqual(stems)
  })

  it('find a month that is named without a year', () => {
    const known = { documentFrequency: (stem: string) => (stem === '@-3' ? 2 : 0) }
    expect(questionTerms('in March', known)).toMatchObject([{ stem: 'march', also: ['@-3'] }])
  })
})

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(termsOf(text).map(({ stem }) => stem))
}
